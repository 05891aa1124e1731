# Completion of Lockstep's programs for bash. Everything is completed from the program's own --help-all:
# options, their words, strategies and schedules.
_lockstep() {
    local program=$1 current=${COMP_WORDS[COMP_CWORD]} previous= help option words prefix=
    ((COMP_CWORD > 0)) && previous=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $current == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 1]} current=; fi
    if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
    help=$(COLUMNS=1000 "$program" --help-all 2>/dev/null) || return
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(grep -oE -- '^  (-[a-z], )?--[a-z-]+' <<<"$help" | grep -oE -- '--[a-z-]+')" -- "$current"))
        return
    fi
    option=$previous
    [[ $option == -? ]] && option=$(sed -n "s/^  $option, \(--[a-z-]*\).*/\1/p" <<<"$help")
    # Prints the names that --help-all lists under a heading: "  NAME  what it is".
    names() { sed -n "/^$1/,/^\$/p" <<<"$help" | sed -n 's/^  \([a-z][a-z0-9-]*\)  *[^ ].*/\1/p'; }
    case $option in
        --strategy) words="auto $(names 'Strategies of ')" ;;
        --app) words=$(names 'Applications:') ;;
        --schedule) words="all $(names 'Schedules:')" prefix=${current%"${current##*,}"} ;;
        --format) words=$(sed -n '/^  --format/,/^  --[a-eg-z]/s/^ \{10,\}\([a-z][a-z0-9-]*\): .*/\1/p' <<<"$help") ;;
        --*) words=$(sed -n "s/^  \(-[a-z], \)\{0,1\}$option \([a-z0-9-]*\(|[a-z0-9-]*\)\{1,\}\).*/\2/p" <<<"$help" | tr '|' ' ') ;;
    esac
    unset -f names
    if [[ -n ${words:-} ]]; then
        COMPREPLY=($(compgen -W "$words" -P "$prefix" -- "${current#"$prefix"}"))
    else
        compopt -o default 2>/dev/null
        COMPREPLY=()
    fi
}
complete -F _lockstep lockstep-{bench,execute,generate,inspect,predict,preprocess,probe,recommend,report,train,verify}
