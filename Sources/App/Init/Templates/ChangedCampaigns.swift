/// The shell script that shows what a change does to campaigns; needs bash, git and hubsend.
///
/// Its variables are `CAMPAIGNS`, the folder of the campaigns; `BASE`, the commit to compare with;
/// and `OUT`, the folder for its files: `preview.md`, which fits into a comment, `preview-all.md`,
/// and `changed`, which lists the changed campaigns with a NUL after each. File names appear in its
/// output only as code.
enum ChangedCampaigns {
    static let script = #"""
        # A campaign has changed if its file, its hubsend.yaml, or a file that one of them names has changed.
        mkdir -p "$OUT"
        git diff -z --name-status --no-renames "$BASE" HEAD > "$OUT/difference"
        git ls-files -z -- "$CAMPAIGNS" > "$OUT/files"
        : > "$OUT/names"; : > "$OUT/changed"; : > "$OUT/preview.md"; : > "$OUT/preview-all.md"
        declare -A touched
        deleted=() left=() count=0
        key='^[[:space:]{]*"?campaign"?[[:space:]]*:'
        while IFS= read -rd '' status && IFS= read -rd '' path; do
          touched[$path]=1
          if [[ $path != *$'\n'* ]]; then printf '%s\n' "${path##*/}" >> "$OUT/names"; fi
          # A campaign that only moved to another file was not deleted.
          if [[ $status = D && $path =~ \.ya?ml$ ]] && line=$(git show "$BASE:$path" | grep -E "$key" | sed -n 1p) &&
            ! git grep -qF -e "$line" HEAD -- "$CAMPAIGNS"; then deleted+=("$path"); fi
        done < "$OUT/difference"
        has_changed() {
          if [[ ${touched[$1]-} ]]; then return 0; fi
          # Ignore comments, which may name files too.
          sed 's/\(^\|[[:space:]]\)#.*//' -- "$1" | grep -wFf "$OUT/names" > /dev/null
        }
        show() { printf '`%s`' "$(printf %s "$1" | tr -d '`\000-\037\177')"; }
        list() {
          local path number=0
          for path; do
            if (( ++number > 30 )); then printf -- '- and %s more\n' $(($# - 30)); break; fi
            printf -- '- %s\n' "$(show "$path")"
          done
        }
        while IFS= read -rd '' campaign; do
          if [[ ! $campaign =~ \.ya?ml$ ]] || ! grep -qE "$key" -- "$campaign"; then continue; fi
          folder=/$campaign config=
          while [[ -n $folder && -z $config ]]; do
            folder=${folder%/*}
            config=$folder/hubsend.yaml config=${config#/}
            if [[ ! -f $config && -z ${touched[$config]-} ]]; then config=; fi
          done
          if ! has_changed "$campaign" && ! { [[ -n $config ]] && has_changed "$config"; }; then continue; fi
          count=$((count + 1))
          printf '%s\0' "$campaign" >> "$OUT/changed"
          # The preview shows errors, such as exports or runs that the campaign needs and that are
          # missing here.
          hubsend preview --format markdown "$campaign" > "$OUT/one.md" || test -s "$OUT/one.md"
          # This line is printed once, at the end.
          sed -i '/^Nothing was sent and nothing was stored\.$/d' "$OUT/one.md"
          cat "$OUT/one.md" >> "$OUT/preview-all.md"
          # GitHub limits a comment to 65,536 characters.
          if (( $(wc -c < "$OUT/preview.md") + $(wc -c < "$OUT/one.md") > 55000 )); then
            left+=("$campaign")
          else
            cat "$OUT/one.md" >> "$OUT/preview.md"
          fi
        done < "$OUT/files"
        {
          if (( count + ${#deleted[@]} == 0 )); then echo 'No campaign has changed.'; fi
          if (( count > 0 )); then echo 'Nothing was sent and nothing was stored.'; fi
          if (( ${#left[@]} > 0 )); then
            printf '\n%s more have changed; the full preview is in the file `preview-all.md` of this run:\n\n' "${#left[@]}"
            list "${left[@]}"
          fi
          if (( ${#deleted[@]} > 0 )); then
            printf '\nDeleted:\n\n'
            list "${deleted[@]}"
          fi
        } >> "$OUT/preview.md"
        echo $((count + ${#deleted[@]})) > "$OUT/count"
        """#
}
