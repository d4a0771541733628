#!/bin/sh
# Becomes /etc/innkeeper-layer of a layer, and runs once in each host of it, before systemd. What packages create
# at their installation and two hosts must not share: keys, certificates, and the name of the host.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
name=$(cat /etc/hostname)
grep -rlI unnamed-host /etc | grep -v '^/etc/innkeeper-layer$' | while read -r file; do
  sed -i "s/unnamed-host/$name/g" "$file"
done
if [ -x /usr/bin/ssh-keygen ] && ls /etc/ssh/ssh_host_* >/dev/null 2>&1; then
  rm -f /etc/ssh/ssh_host_*
  ssh-keygen -A >/dev/null
fi
[ ! -x /usr/sbin/make-ssl-cert ] || make-ssl-cert generate-default-snakeoil --force-overwrite
rm /etc/innkeeper-layer
