#!/bin/sh
# Run by mmdebstrap on the finished tree ($1). Nothing starts by itself: what a server runs is the agent's business.
set -eu
mkdir -p "$1/etc/systemd/system-preset" "$1/etc/systemd/journald.conf.d"
echo 'disable *' >"$1/etc/systemd/system-preset/00-innkeeper.preset"
# Syncing and size checks of a journal that a practice server throws away cost more than the journal.
printf '[Journal]\nStorage=volatile\nRuntimeMaxUse=32M\n' >"$1/etc/systemd/journald.conf.d/innkeeper.conf"
chroot "$1" systemctl preset-all
# The devices, modules and terminals belong to the machine outside; the timers would wake idle hosts for nothing.
chroot "$1" systemctl mask systemd-udevd.service systemd-udevd-kernel.socket systemd-udevd-control.socket \
  systemd-udev-trigger.service systemd-modules-load.service systemd-remount-fs.service systemd-pstore.service \
  systemd-update-utmp.service systemd-logind.service getty.target console-getty.service e2scrub_reap.service \
  apt-daily.timer apt-daily-upgrade.timer
chroot "$1" systemctl set-default multi-user.target
# Each host gets these of its own.
rm -f "$1/etc/hostname" "$1/etc/resolv.conf" "$1/etc/apt/sources.list" "$1"/etc/apt/sources.list.d/*
