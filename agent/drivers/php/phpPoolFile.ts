import { createHash } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { type PhpParameters, phpValue } from '@innkeeper/contract/hosting/phpParameters'
import { phpNames, phpRules } from '@innkeeper/contract/hosting/phpRules'
import { hasSystemd } from '../../kit/host.ts'
import { rootOf } from './phpRoot.ts'

export type Pool = OperationInput<'php-pool.ensure'>
/** `website`: a pool for that website only, besides the pool of its account. */
export type PoolKey = OperationInput<'php-pool.remove'>

/**
 * The name of a pool: `web1`, or `web1-12` for the pool of one website. Usernames have no hyphen, so names are unique.
 * By systemd's naming, the slice of `web1-12` is inside that of `web1`, whose limits therefore apply.
 */
export const instanceOf = ({ username, website }: Omit<PoolKey, 'phpVersion'>) =>
  website === undefined ? username : `${username}-${website}`

/** With systemd, an account has its own master per version; otherwise its pool belongs to Debian's shared master. */
export const poolFolder = (version: string) => (hasSystemd() ? `/etc/innkeeper/php/${version}` : sharedFolder(version))
export const sharedFolder = (version: string) => `/etc/php/${version}/fpm/pool.d`
export const poolFile = (pool: PoolKey) =>
  `${poolFolder(pool.phpVersion)}/${hasSystemd() ? '' : 'innkeeper-'}${instanceOf(pool)}.conf`
export const socketOf = (pool: PoolKey) => `/run/php/${instanceOf(pool)}-${pool.phpVersion}.sock`
/** The service that runs the pool. */
export const masterOf = (pool: PoolKey) =>
  hasSystemd() ? `innkeeper-php${pool.phpVersion}@${instanceOf(pool)}` : `php${pool.phpVersion}-fpm`

export const idleSocket = (version: string) => `/run/php/innkeeper-idle-${version}.sock`
/** The running pool answers a ping with a digest of the file that it was started with. */
export const pingPath = '/innkeeper-ping'
export const printOf = (text: string) => text.match(/^ping\.response = (\S+)$/m)?.[1]
const printed = /^(ping\.response = \w+)(?:-\d+)?$/m
/** A changed ping response for the same pool, so that a ping proves the restart. */
export const anew = (text: string) => text.replace(printed, `$1-${Date.now()}`)
/** The text without the mark that `anew` adds. */
export const atFirst = (text: string | undefined) => text?.replace(printed, '$1')

/** A program that stores a message from standard input in a folder instead of sending it. */
export const holdMail = '/usr/local/lib/innkeeper/hold-mail'
export const heldFolder = (home: string) => `${home}/held-mail`
export const holdMailText = `#!/bin/sh
# Written by Innkeeper: the mail of a staging copy stays here.
umask 077
mkdir -p "$1" || exit 75
file="$1/$(date +%s%N)-$$"
cat > "$file.part" && mv "$file.part" "$file.eml" || exit 75
`

// functions that start programs or reach other accounts; common applications work without them
const disabled = 'exec,passthru,shell_exec,system,proc_open,popen,pcntl_exec,pcntl_fork,posix_kill,posix_mkfifo,dl'

export function poolText(pool: Pool): string {
  const { username, phpVersion, maxChildren, memoryLimitMb, mail, parameters = {} } = pool
  const home = `/home/${username}`
  const sizes = { upload_max_filesize: 64, post_max_size: 64, display_errors: false, ...parameters }
  // Quoted, because PHP reads a bare null, none or on as a value, not as an account name.
  const text = `[${instanceOf(pool)}]
${choiceLine(parameters)}user = "${username}"
group = "${username}"
listen = ${socketOf(pool)}
listen.owner = www-data
listen.group = www-data
listen.mode = 0660
pm = ondemand
pm.max_children = ${maxChildren}
pm.process_idle_timeout = 30s
pm.max_requests = 1000
request_terminate_timeout = 120s
php_admin_value[memory_limit] = ${parameters.memory_limit ?? memoryLimitMb}M
php_admin_value[open_basedir] = ${home}/:/usr/share/php/
php_admin_value[sys_temp_dir] = ${home}/tmp
php_admin_value[upload_tmp_dir] = ${home}/tmp
php_admin_value[upload_max_filesize] = ${sizes.upload_max_filesize}M
php_admin_value[post_max_size] = ${sizes.post_max_size}M
php_admin_value[disable_functions] = ${disabled}
php_admin_flag[expose_php] = off
php_admin_flag[display_errors] = ${sizes.display_errors ? 'on' : 'off'}
php_admin_flag[log_errors] = on
php_value[session.save_path] = ${home}/tmp
php_value[session.gc_probability] = 1
${chosen(parameters)}${mail === 'hold' ? `php_admin_value[sendmail_path] = ${holdMail} ${heldFolder(home)}\n` : ''}ping.path = ${pingPath}
`
  const print = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const global = `[global]
error_log = syslog
syslog.ident = php${phpVersion}-${instanceOf(pool)}
daemonize = no
process_control_timeout = 10s

`
  return `; Written by Innkeeper. Changes are overwritten.\n${hasSystemd() ? global : ''}${text}ping.response = ${print}\n`
}

/**
 * The choice of extensions as a comment. A restored pool file contains its choice, and the digest of the
 * pool covers the choice.
 */
const choiceLine = ({ extensionsOn: on = [], extensionsOff: off = [] }: PhpParameters): string =>
  on.length + off.length
    ? `; extensions:${on.map((name) => ` +${name}`).join('')}${off.map((name) => ` -${name}`).join('')}\n`
    : ''

/** The PHP settings of a website that differ from the pool's defaults; the application may override them. */
const chosen = (parameters: PhpParameters): string =>
  phpNames
    .map((name) => ({ name, rule: phpRules[name], value: parameters[name] }))
    .filter(({ rule, value }) => !('fixed' in rule) && value !== undefined)
    .map(
      ({ name, value = '' }) =>
        `php_${typeof value === 'boolean' ? 'flag' : 'value'}[${name}] = ${phpValue(name, value)}\n`,
    )
    .join('')

/**
 * The master of one account, in the account's slice, whose limits apply to all its websites. PHP that has left its
 * folders, by a hole or by native code, sees no process of others, and runs no program and loads no library that it has
 * written: everything outside the system's own folders is not executable. So `putenv` may stay, which applications need:
 * `LD_PRELOAD` and `GCONV_PATH` would otherwise load such a library.
 */
export const masterUnit = (version: string) => `# Written by Innkeeper. Changes are overwritten.
[Unit]
Description=PHP ${version} of the websites of %i
After=network.target
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=/usr/sbin/php-fpm${version} --nodaemonize --fpm-config /etc/innkeeper/php/${version}/%i.conf
ExecReload=/usr/sbin/php-fpm${version} --test --fpm-config /etc/innkeeper/php/${version}/%i.conf
ExecReload=/bin/kill -USR2 $MAINPID
Slice=innkeeper-%i.slice
PrivateTmp=yes
ProtectProc=invisible
NoExecPaths=/ /home /tmp /var/tmp /run -/dev/shm
ExecPaths=/usr /opt
NoExecPaths=-${rootOf(version)}/tmp -${rootOf(version)}/var
InaccessiblePaths=-/run/dbus
OOMPolicy=continue
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
`
