#!/bin/sh
# Becomes pid 1 of a practice server. Starts in the folder of the host (image/ upper/ work/ root/). Environment variables:
# LAB_NAME, LAB_ADDRESS, LAB_IMAGE, LAB_LAYER (may be empty), and LAB_GROUPS with a word `folder=options` per cgroup hierarchy.
# Each stage waits for a line on standard input. If the starting process dies, the pipe closes and this script ends.
set -eu
if [ "$1" = enter ]; then
  read -r word && [ "$word" = enter ] || exit 1
  exec unshare --mount --propagation private --pid --fork --kill-child --uts --ipc --net --cgroup sh "$0" boot
fi
read -r word && [ "$word" = boot ] || exit 1

mount --bind "$LAB_IMAGE" image # relative names below: a path with a colon or a comma would end a mount option
lower=image
if [ -n "$LAB_LAYER" ]; then
  mkdir -p layer
  mount --bind "$LAB_LAYER" layer
  lower=layer:image
fi
mount -t overlay overlay -o lowerdir=$lower,upperdir=upper,workdir=work,index=off root
cd root
mount -t proc proc proc -o nosuid,noexec,nodev
# Read-only, so that a host cannot change devices, modules or settings of the machine.
mount -t sysfs sysfs sys -o ro,nosuid,noexec,nodev
for path in proc/sys proc/sysrq-trigger; do
  [ -e $path ] || continue # some kernels lack the last one
  mount --bind $path $path
  mount -o remount,bind,ro $path
done
mount -t tmpfs tmpfs dev -o mode=755,nosuid
for node in null zero full random urandom tty; do
  touch dev/$node
  mount --bind /dev/$node dev/$node
done
mkdir dev/pts dev/shm
mount -t devpts devpts dev/pts -o newinstance,ptmxmode=0666,mode=620,gid=5
mount -t tmpfs tmpfs dev/shm -o mode=1777
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mount -t tmpfs tmpfs run -o mode=755,size=512m
mount -t tmpfs tmpfs tmp -o mode=1777
mkdir run/lock

case $LAB_GROUPS in
  =) mount -t cgroup2 cgroup2 sys/fs/cgroup ;;
  *)
    mount -t tmpfs tmpfs sys/fs/cgroup -o mode=755
    for group in $LAB_GROUPS; do
      folder=sys/fs/cgroup/${group%%=*}
      mkdir "$folder"
      case ${group#*=} in
        '') mount -t cgroup2 cgroup2 "$folder" ;;
        *) mount -t cgroup cgroup "$folder" -o "${group#*=}" ;;
      esac
    done
    ;;
esac

hostname "$LAB_NAME"
ip link set lo up
ip addr add "$LAB_ADDRESS/24" dev eth0
ip link set eth0 up # without a route: a practice server reaches only its own network

mkdir .old
pivot_root . .old
cd /
umount -l /.old
rmdir /.old
# as systemd does on a machine, but not in a container: credentials of units reach them by a mount
mount --make-rshared /
[ ! -x /etc/innkeeper-layer ] || /etc/innkeeper-layer </dev/null
# The dropped capabilities would affect the machine outside: its clock, modules, memory and log.
exec /usr/bin/setpriv --bounding-set -sys_time,-sys_module,-sys_rawio,-syslog,-mac_admin,-mac_override \
  /usr/bin/env -i container=innkeeper PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --log-target=console --show-status=0 </dev/null
