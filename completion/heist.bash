# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion of heist for bash. The command itself says what fits: heist --complete.

_heist() {
    local -a words=()
    local word line before='' glue=''
    # bash takes "--bench=a" for three words; here it is one.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ($word == '=' || -n $glue) && ${#words[@]} -gt 0 ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        glue=${word##[!=]*}
    done
    word=${words[-1]}
    # What bash does not take for a part of the word it must not get back.
    [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && before=${word%=*}=
    COMPREPLY=()
    while IFS= read -r line; do
        line=${line%%$'\t'*}
        case $line in
        :files | :directories)
            [[ $line == :files ]] && line=-f || line=-d
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$line" -- "${word#"$before"}")
            compopt -o filenames 2>/dev/null
            ;;
        *=)
            COMPREPLY+=("${line#"$before"}")
            compopt -o nospace 2>/dev/null
            ;;
        *) COMPREPLY+=("${line#"$before"}") ;;
        esac
    done < <("$1" --complete "${words[@]}" 2>/dev/null)
}
complete -F _heist heist
