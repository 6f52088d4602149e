# Completion of cellscope for bash; also for zsh after: autoload -U bashcompinit && bashcompinit
# Everything that is offered comes from the program itself.
_cellscope() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local program=${COMP_WORDS[0]} words="" values
  local help
  if [ "$COMP_CWORD" -eq 1 ]; then
    help=$("$program" --help 2> /dev/null)
    words=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' <<< "$help")
  else
    local asked=("${COMP_WORDS[1]}")
    [ "${COMP_WORDS[1]}" = reproduce ] && [ "$COMP_CWORD" -gt 2 ] && asked+=("${COMP_WORDS[2]}")
    help=$("$program" "${asked[@]}" --help 2> /dev/null)
    # "--sink TEXT:{auto,interop,copy}": what the option before the cursor takes.
    values=$(sed -n "s/^  \(-[a-z],\)\{0,1\}$previous TEXT:{\([^}]*\)}.*/\2/p" <<< "$help")
    if [ -n "$values" ]; then
      mapfile -t COMPREPLY < <(compgen -W "${values//,/ }" -- "$current")
      return
    fi
    if grep -q "^  $previous TEXT" <<< "$help"; then
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
    fi
    case ${COMP_WORDS[1]} in
      run | window | lesson | list) words=$("$program" list 2> /dev/null | sed -n '/^Modes/q; s/^  \([a-z_0-9]*\) .*/\1/p') ;;
      help) words=$("$program" help 2> /dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p') ;;
      *) words=$(sed -n '/^Studies of mode/,/^$/s/^  \([a-z0-9][a-z0-9-]*\) .*/\1/p' <<< "$help") ;;
    esac
  fi
  case $current in
    -*) words=$(grep -oE '^  (-[a-z],)?--[a-z-]+' <<< "$help" | grep -oE -- '--[a-z-]+') ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _cellscope cellscope
