#!/bin/sh
# Installs the Innkeeper agent on this machine, enrols it with a token that is good once, and starts it.
# Run again with a new token it updates: an agent that does not check in within 60 s gives way to the one before it.
set -eu
umask 077

url='@URL@'
urls='@URLS@'
pin='@PIN@'
token='@TOKEN@'
version='@VERSION@'
agent_sha256='@SHA256_AGENT@'
node_x64_sha256='@SHA256_NODE_X64@'
node_arm64_sha256='@SHA256_NODE_ARM64@'

home=/opt/innkeeper
settings=/etc/innkeeper/agent.json
state=/var/lib/innkeeper
checked_in=$state/checked-in
patience=${INNKEEPER_PATIENCE:-60}
unit=/etc/systemd/system/innkeeper-agent.service
script=/etc/init.d/innkeeper-agent

say() { printf 'innkeeper: %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }
systemd() { [ -d /run/systemd/system ]; }

# Answers 0 where the file has that sha256.
is() { [ -f "$1" ] && printf '%s  %s\n' "$2" "$1" | sha256sum -c --status; }

# The key of the control plane is pinned: its certificate needs no name and no authority.
fetch() {
  curl -fsS --insecure --pinnedpubkey "sha256//$pin" --retry 3 -o "$2" "$url/download/$1" </dev/null ||
    die "$url/download/$1 could not be fetched"
  is "$2" "$3" || die "$1 has another checksum than $url says: nothing was installed"
}

control() { # start | stop
  if systemd; then systemctl "$1" innkeeper-agent.service </dev/null; else "$script" "$1" </dev/null; fi
}

# Leaves what is there in place when it is the same; Node comes from the release before where that is the same.
unpack() {
  release=$home/$version
  if [ -e "$release" ] && ! is "$release/agent.mjs" "$agent_sha256"; then
    release=$release-$(printf %.8s "$agent_sha256")
  fi
  if is "$release/agent.mjs" "$agent_sha256" && is "$release/node" "$node_sha256"; then return; fi
  aside=$release.new
  rm -rf -- "$aside" "$release"
  mkdir -p "$aside"
  if is "$home/current/node" "$node_sha256"; then
    ln "$(readlink -f "$home/current")/node" "$aside/node"
  else
    say "fetching Node for $arch"
    fetch "node-$arch" "$aside/node" "$node_sha256"
  fi
  fetch agent.mjs "$aside/agent.mjs" "$agent_sha256"
  chmod 755 "$aside" "$aside/node"
  chmod 644 "$aside/agent.mjs"
  mv -T "$aside" "$release"
}

write_settings() {
  mkdir -p -m 755 "${settings%/*}"
  mkdir -p -m 700 "$state"
  printf '{ "url": "%s", "urls": [%s], "pin": "%s", "stateDir": "%s" }\n' "$url" "$urls" "$pin" "$state" >"$1"
}

# A printf of the shell itself: the token is in no file and in no list of processes.
enrol() {
  printf '%s\n' "$token" | INNKEEPER_AGENT_CONFIG="$1" "$release/node" "$release/agent.mjs" --enrol
}

point_at() {
  ln -sfn "$1" "$home/current.new"
  mv -T "$home/current.new" "$home/current"
}

# an agent needs little: a small part of the heap for new objects, and collections before it has grown much
small='--max-semi-space-size=2 --heap-growing-percent=20'

write_unit() {
  cat >"$unit" <<UNIT
[Unit]
Description=Innkeeper agent
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
# the C library gives free memory back; programs that the agent runs do not inherit this
Environment=MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
ExecStart=$home/current/node $small $home/current/agent.mjs
Restart=always
RestartSec=2
KillMode=mixed
TimeoutStopSec=90
OOMScoreAdjust=-500

[Install]
WantedBy=multi-user.target
UNIT
  chmod 644 "$unit"
  systemctl daemon-reload </dev/null
  systemctl enable --quiet innkeeper-agent.service </dev/null
}

# Without systemd: a loop that starts the agent again, kept by Debian's own start-stop-daemon.
write_script() {
  cat >$home/keep-running <<'LOOP'
#!/bin/sh
ending=
trap 'ending=1; kill "$agent"' TERM INT
export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
until [ "$ending" ]; do
  /opt/innkeeper/current/node --max-semi-space-size=2 --heap-growing-percent=20 /opt/innkeeper/current/agent.mjs </dev/null >>/var/log/innkeeper-agent.log 2>&1 &
  agent=$!
  wait "$agent" || :
  if [ "$ending" ]; then wait "$agent" || :; else sleep 2; fi
done
LOOP
  cat >"$script" <<'INIT'
#!/bin/sh
### BEGIN INIT INFO
# Provides:          innkeeper-agent
# Required-Start:    $remote_fs $network
# Required-Stop:     $remote_fs $network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: Innkeeper agent
### END INIT INFO
daemon() { start-stop-daemon --pidfile /run/innkeeper-agent.pid "$@"; }
case "$1" in
  start) daemon --start --oknodo --background --make-pidfile --startas /opt/innkeeper/keep-running ;;
  stop) daemon --stop --oknodo --remove-pidfile --retry TERM/80/KILL/5 ;;
  restart) "$0" stop && "$0" start ;;
  status) daemon --status ;;
  *) echo "usage: $0 start|stop|restart|status" >&2; exit 2 ;;
esac
INIT
  chmod 755 "$home/keep-running" "$script"
  ! command -v update-rc.d >/dev/null || update-rc.d innkeeper-agent defaults </dev/null
}

checks_in() {
  tries=$((patience * 2))
  until [ -e "$checked_in" ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.5
  done
}

main() {
  [ "$(id -u)" = 0 ] || die 'this has to be run as root'
  case $(uname -sm) in
    'Linux x86_64') arch=x64 node_sha256=$node_x64_sha256 ;;
    'Linux aarch64') arch=arm64 node_sha256=$node_arm64_sha256 ;;
    *) die "there is no agent for $(uname -sm)" ;;
  esac
  [ "$node_sha256" ] || die "the control plane has no Node for $arch"
  systemd || command -v start-stop-daemon >/dev/null || die 'this machine has neither systemd nor start-stop-daemon'

  mkdir -p -m 755 "$home"
  unpack
  before=$(readlink "$home/current" || :)
  write_settings "$settings.new"
  [ -z "$before" ] || control stop || :
  if ! enrol "$settings.new"; then
    rm -f "$settings.new"
    [ -z "$before" ] || control start
    die 'the enrolment was refused: nothing was changed'
  fi
  mv "$settings.new" "$settings"
  point_at "$release"
  rm -f "$checked_in"
  if systemd; then write_unit; else write_script; fi
  control start

  if checks_in; then
    say "the agent $version has checked in at $url"
    return
  fi
  if [ "$before" ] && [ "$before" != "$release" ]; then
    control stop || :
    point_at "$before"
    control start
    die "the agent $version did not check in within $patience s: the one before it is back"
  fi
  die "the agent $version did not check in within $patience s: see journalctl -u innkeeper-agent, or /var/log/innkeeper-agent.log"
}

# All is read before anything is done: half a script does nothing.
main
