#!/usr/bin/env python3
"""Tests the site of the documents: every page exists, and no page is wider than a telephone or a laptop.

    test_site.py REPOSITORY       exit code 77: there is no mkdocs

Without a browser (chromium), widths are not tested.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
WIDTHS = (390, 1280)

# A page with each page of the site in a frame of each width. It writes by how many pixels each is wider than
# its frame.
WRAPPER = """<!DOCTYPE html><body><pre id="found"></pre>FRAMES<script>
onload = () => {
  document.getElementById("found").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, root = page.documentElement;
    return [frame.dataset.page, Number(frame.width), root.scrollWidth - root.clientWidth, page.querySelectorAll("h1").length];
  }));
};
</script></body>"""


def looked_at(site, pages):
    """Returns [page, frame width, pixels by which the page is wider, number of h1 headings] of each page."""
    wrapper = site / "look.html"
    frames = (f'<iframe data-page="{page}" src="{page}" width="{width}" height="900"></iframe>' for page in pages for width in WIDTHS)
    wrapper.write_text(WRAPPER.replace("FRAMES", "".join(frames)))
    shown = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                            "--dump-dom", wrapper.as_uri()], capture_output=True, text=True, timeout=120)
    text = re.search(r'<pre id="found">(.*?)</pre>', shown.stdout, re.DOTALL)
    assert text and text[1], shown.stderr[-2000:]
    return json.loads(html.unescape(text[1]))


def main():
    if not shutil.which("mkdocs"):
        print("skipped: there is no mkdocs")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "site"
        subprocess.run([ROOT / "tools/site.sh", site], check=True)
        sources = [*ROOT.glob("docs/*/*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("C*.md"), ROOT / "SECURITY.md", ROOT / "formats/SCHEMA.md"]
        pages = ["index.html", *(p.relative_to(ROOT).with_suffix(".html").as_posix() for p in sources)]
        missing = [page for page in pages if not (site / page).is_file()]
        assert not missing, missing
        navigation = (site / "index.html").read_text()
        assert all(f'href="{page}"' in navigation for page in pages if page != "index.html"), "a page is not in the navigation"
        if not shutil.which("chromium"):
            print(f"{len(pages)} pages; there is no chromium to look at them")
            return 0
        found = looked_at(site, pages)
        assert len(found) == len(pages) * len(WIDTHS)
        wide = [f"{page} at {width}: {more} px too wide, {headings} h1" for page, width, more, headings in found if more > 0 or headings != 1]
        assert not wide, "\n".join(wide)
        planted = site / "planted.html"
        planted.write_text("<h1>wide</h1><div style='width: 2000px'>x</div>")
        assert all(more > 0 for _, _, more, _ in looked_at(site, ["planted.html"])), "a page of 2000 px is not found"
        print(f"{len(pages)} pages at {' and '.join(map(str, WIDTHS))} px")
    return 0


if __name__ == "__main__":
    sys.exit(main())
