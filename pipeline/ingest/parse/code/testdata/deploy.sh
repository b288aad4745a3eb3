#!/bin/bash
# Deploys the lantern.
# Use: deploy.sh HOST
set -e

# Copies the files.
copy() {
  local x="${1#*/}" # not } the end
  cat <<'END' > /tmp/x
it's { a text
fake() {
END
  echo "it's $x"
}

function start_all {
  if true; then
    { echo 'a
}'; }
  fi
}

one() { echo "#"; }

copy "$@"
start_all
