#!/bin/sh
# The command of operators. Its own Node runs it, whatever Node the machine has.
lib=/usr/lib/innkeeper
exec "$lib/node" "$lib/server/dist/command.mjs" "$@"
