import * as z from 'zod'

/**
 * Extensions of PHP that Debian and the usual repositories package, by their names in `mods-available`. An allow-list,
 * because a name becomes the path of a file that PHP loads.
 */
export const phpExtensions = [
  ...['amqp', 'apcu', 'ast', 'bcmath', 'bz2', 'calendar', 'ctype', 'curl', 'dba', 'decimal', 'dom', 'ds', 'enchant'],
  ...['exif', 'ffi', 'fileinfo', 'ftp', 'gd', 'gearman', 'geoip', 'gettext', 'gmp', 'gnupg', 'grpc', 'http', 'iconv'],
  ...[
    'igbinary',
    'imagick',
    'imap',
    'inotify',
    'interbase',
    'intl',
    'ldap',
    'lz4',
    'mailparse',
    'maxminddb',
    'mbstring',
  ],
  ...['mcrypt', 'memcache', 'memcached', 'mongodb', 'msgpack', 'mysqli', 'mysqlnd', 'oauth', 'odbc', 'opcache', 'pcov'],
  ...['pdo', 'pdo_dblib', 'pdo_firebird', 'pdo_mysql', 'pdo_odbc', 'pdo_pgsql', 'pdo_sqlite', 'pgsql', 'phar', 'posix'],
  ...['propro', 'protobuf', 'ps', 'pspell', 'psr', 'raphf', 'readline', 'redis', 'rrd', 'shmop', 'simplexml', 'snmp'],
  ...[
    'soap',
    'sockets',
    'sodium',
    'solr',
    'sqlite3',
    'ssh2',
    'stomp',
    'swoole',
    'sysvmsg',
    'sysvsem',
    'sysvshm',
    'tidy',
  ],
  ...[
    'tokenizer',
    'uopz',
    'uploadprogress',
    'uuid',
    'xdebug',
    'xhprof',
    'xml',
    'xmlreader',
    'xmlrpc',
    'xmlwriter',
    'xsl',
  ],
  ...['yac', 'yaml', 'zip', 'zmq', 'zstd'],
] as const
export type PhpExtension = (typeof phpExtensions)[number]

export const phpExtension = z.enum(phpExtensions, 'Not a known extension of PHP')
/** Names in fixed order without duplicates, so that equal choices have equal values. */
export const extensionList = z
  .array(phpExtension)
  .max(phpExtensions.length)
  .transform((names) => [...new Set(names)].sort())

/** An extension that a server has for a PHP version. `usual`: on unless a website chooses otherwise. */
export const ExtensionHere = z.object({ name: z.string(), usual: z.boolean() })
export type ExtensionHere = z.output<typeof ExtensionHere>

/** Extensions of a choice that a server cannot load. */
export const lackingOf = (on: readonly string[], here: readonly ExtensionHere[]): string[] =>
  on.filter((name) => !here.some((one) => one.name === name))
