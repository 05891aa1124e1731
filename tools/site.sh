#!/usr/bin/env bash
# Makes a site of README and docs, for any web server, or to be opened as files.
#    tools/site.sh [FOLDER]      default: build/site
# Pages have the same relative paths as their sources, so that links stay the same. Requires mkdocs (Debian's
# package).
set -euo pipefail
site=$(realpath -m -- "${1:-"$(dirname "${BASH_SOURCE[0]}")/../build/site"}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v mkdocs >/dev/null || { echo "site: there is no mkdocs: sudo apt-get install mkdocs" >&2; exit 1; }

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/pages"
cp -r --parents README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md CODE_OF_CONDUCT.md LICENSE docs formats/SCHEMA.md samples "$stage/pages"
cp --parents CITATION.cff tools/c/lockstep.h tests/torture/stub_cuda.cpp executor/insight/h200.json "$stage/pages"  # linked from pages
cat > "$stage/mkdocs.yml" <<END
site_name: Lockstep
docs_dir: pages
site_dir: $site
use_directory_urls: false
theme: {name: readthedocs, navigation_depth: 2, include_homepage_in_sidebar: false, highlightjs: false}
extra_css: [docs/site.css]
markdown_extensions: [tables, sane_lists, {toc: {permalink: false}}]
nav:
  - Start: [README.md, docs/tutorial.md, samples/README.md]
  - Guides: [$(ls docs/guides/*.md | paste -sd,)]
  - Reference: [$(ls docs/reference/*.md | paste -sd,), formats/SCHEMA.md]
  - Research: [$(ls docs/research/*.md | paste -sd,)]
  - Development: [CONTRIBUTING.md, CHANGELOG.md, SECURITY.md, CODE_OF_CONDUCT.md, $(ls docs/development/*.md | paste -sd,)]
END
mkdocs --quiet build --strict --clean --config-file "$stage/mkdocs.yml"
echo "$site/index.html"
