# How the commands of the docs are run: as they stand, but a training takes two steps of a tiny network, and a server goes on beside them.
keyseq() {
  case "$1 ${2-}" in
    "train kea" | "train maui" | "train combined") command keyseq "$@" ;;
    "train --from")
      command keyseq "$@" --set training.steps=2 --set training.batch_size=4 --set training.threads=1
      ;;
    "train "*)
      command keyseq "$@" --set training.steps=2 --set training.batch_size=4 --set training.validate_every=2 \
        --set training.validate_documents=4 --set training.threads=1 --set model.vocabulary=1000 \
        --set model.output_vocabulary=500 --set model.embedding_size=8 --set model.encoder_size=8 \
        --set model.hidden_size=8 --set model.attention_size=8 --set model.output_size=8 --set model.switch_size=8 \
        --set model.target_encoder_size=8
      ;;
    "serve "*) serve "${@:2}" ;;
    *) command keyseq "$@" ;;
  esac
}

# The first server of a page is the one that curl asks.
serve() {
  local log="serve-$RANDOM.log"
  command keyseq serve "$@" --port 0 </dev/null >"$log" 2>&1 &
  echo $! >>servers
  until grep -q "http://" "$log"; do
    kill -0 $! || { cat "$log"; return 1; }
    sleep 0.1
  done
  [ -f port ] || grep -om1 "http://[^/]*" "$log" | sed 's/.*://' >port
}

curl() {
  command curl --silent --show-error --fail "${@//127.0.0.1:8080/127.0.0.1:$(cat port)}"
}
