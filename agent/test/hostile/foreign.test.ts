import { apacheProblems } from '@innkeeper/contract/net/ownRules/apacheRules'
import { nginxProblems } from '@innkeeper/contract/net/ownRules/nginxRules'
import { expect, it } from 'vitest'
import { slowness } from '../../../bin/nasty.ts'
import { jobsBeside, parted, relocated } from '../../drivers/accounts/crontabText.ts'
import { hostsIn } from '../../drivers/adopt/apacheText.ts'
import { namesIn as apacheNames } from '../../drivers/apache/apacheConfig.ts'
import { adapted } from '../../drivers/applications/knownConfigs.ts'
import { withOtherAddress } from '../../drivers/applications/otherAddress.ts'
import { cpanelLayout } from '../../drivers/archives/cpanel.ts'
import { dovecotHash, formOf } from '../../drivers/archives/hashes.ts'
import { hestiaLayout } from '../../drivers/archives/hestia.ts'
import { linkTarget, safeName } from '../../drivers/archives/names.ts'
import { pleskLayout } from '../../drivers/archives/plesk.ts'
import { mentionsIn } from '../../drivers/archives/records.ts'
import { mask } from '../../drivers/configs/secrets.ts'
import { commandIn } from '../../drivers/ftp/front/commands.ts'
import { failureIn } from '../../drivers/mail/mailGuesses.ts'
import { idOf, readLine } from '../../drivers/mail/mailLogs.ts'
import { errorIn, readXml } from '../../drivers/mariadb/databaseQuery.ts'
import { databasesIn, withoutDatabases } from '../../drivers/mariadb/imports/otherDatabases.ts'
import { rule } from '../../drivers/mariadb/imports/rules.ts'
import { statements } from '../../drivers/mariadb/imports/statements.ts'
import { slowIn } from '../../drivers/mariadb/slowLog.ts'
import { namesIn as nginxNames } from '../../drivers/nginx/nginxConfig.ts'
import { errorIn as postgresError, readCsv } from '../../drivers/postgresql/query.ts'
import { split, withoutComments } from '../../drivers/postgresql/script.ts'
import { slowIn as postgresSlow } from '../../drivers/postgresql/slowLog.ts'
import { replacer } from '../../drivers/replace/inBytes.ts'
import { fullWatch } from '../../drivers/restic/full.ts'
import { refuseUnlessChange } from '../../drivers/statements/change.ts'
import { normalised } from '../../drivers/statements/slow.ts'

const hestiaFiles = [
  ...['hestia/user.conf', 'hestia/backup-excludes.conf', 'pam/shadow', 'cron/cron.conf'],
  ...[
    'web/a/hestia/web.conf',
    'web/a/conf/a.crt',
    'web/a/conf/a.key',
    'db/a/hestia/db.conf',
    'mail/a/hestia/mail.conf',
  ],
  ...['mail/a/hestia/a.conf', 'dns/a/hestia/dns.conf', 'dns/a/hestia/a.conf'],
]
const cpanelFiles = [
  ...['cp/a', 'userdata/main', 'userdata/a', 'homedir_paths', 'mysql.sql', 'mysql/a.create', 'proftpdpasswd', 'va/a'],
  ...['apache_tls/a', 'cron/a', 'dnszones/a.db', 'homedir/etc/a/shadow', 'homedir/etc/a/quota'],
]
const database = { was: 'old', name: 'shop', user: 'shop', password: 'word' }
const ruled = (text: string) => rule(text, { collations: new Set(['utf8mb4_bin']) }, new Set(), 'old')

/** What reads text of customers, visitors and other machines. */
const parsers: Record<string, (text: string) => unknown> = {
  crontab: (text) => [jobsBeside(text, ['/home/a/b']), parted(text, ['/home/a/b'], false)],
  'lines of a crontab': (text) => relocated(text.split('\n'), '/home/a/b', '/home/c/d'),
  'virtual hosts of Apache': apacheNames,
  'configuration of nginx': (text) => nginxNames(`# configuration file /a:\n${text}`),
  'own rules': (text) => [nginxProblems(text), apacheProblems(text)],
  'definitions of a dump': (text) => [databasesIn(text), withoutDatabases(text, new Set(['old']))],
  'wp-config.php': (text) => [
    adapted('wp-config.php', text, [database]),
    withOtherAddress('wp-config.php', text, 'a.example', 'b.example'),
  ],
  '.env': (text) => [adapted('.env', text, [database]), adapted('.env', `DB_NAME=${text}`, [database])],
  'configuration with secrets': (text) => mask('/etc/a', text, Buffer.from('key')),
  'a secret': (text) => mask('/etc/a', `password=yes${text}`, Buffer.from('key')),
  'records of HestiaCP': (text) => hestiaLayout('hestia', new Map(hestiaFiles.map((file) => [file, text])), new Map()),
  'description of Plesk': (text) => {
    const xml = [text, `<domain name="a"><phosting www-root="${text}`, `<domain name="a">${text}</domain>`]
    for (const one of xml)
      try {
        pleskLayout(new Map([['backup_info_1.xml', one]]), new Map([[`databases/${text}/backup_sqldump_1/a`, 1]]))
      } catch (error) {
        if (!/breaks off|too |names no/.test(String(error))) throw error
      }
  },
  'virtual hosts of somebody else': (text) => [hostsIn(text), hostsIn(`<VirtualHost *:80>\nServerName ${text}`)],
  'records of cPanel': (text) =>
    cpanelLayout(new Map(cpanelFiles.map((file) => [file, text])), new Map([['mysql/a.sql', 1]])),
  'names in an archive': (text) => [
    safeName(Buffer.from(text)),
    linkTarget('a/b', text, [{ from: '/home/a', to: 'public' }]),
  ],
  'databases in a configuration': mentionsIn,
  'hash of an archive': (text) => [formOf(text), dovecotHash(text)],
  'command of an FTP client': commandIn,
  'failed sign-in to mail': failureIn,
  'line of a mail log': (text) => [idOf(text), readLine(text)],
  'answer of MariaDB': (text) => readXml(`<resultset${text}`, 100),
  'error of MariaDB': errorIn,
  'statement of a dump': ruled,
  'database of a dump': (text) => ruled(`USE ${text}`),
  'table of a dump': (text) => ruled(`INSERT INTO ${text}`),
  'view of a dump': (text) => ruled(`CREATE DEFINER=${text}`),
  'setting of a dump': (text) => ruled(`SET ${text}`),
  'dump of MariaDB': (text) => {
    const reading = statements({ piece: () => {}, readsFile: () => {} })
    reading.take(Buffer.from(text))
    reading.end()
  },
  'slow log of MariaDB': (text) => slowIn(text, 'shop'),
  'error of PostgreSQL': postgresError,
  'answer of PostgreSQL': (text) => readCsv(text, 100, 'nothing'),
  'script of PostgreSQL': split,
  'comments of PostgreSQL': withoutComments,
  'rows of PostgreSQL': (text) => split(`COPY ${text}`),
  'slow log of PostgreSQL': (text) => postgresSlow(text, 'shop'),
  'texts of a database': (text) => replacer({ from: 'old', to: 'new', how: 'text' })(`old${text}`),
  'names in a database': (text) =>
    replacer({ from: 'old.example', to: 'new.example', how: 'domain' })(`old.example${text}`),
  'words of restic': (text) => {
    const watch = fullWatch(() => {})
    watch.see(text)
    watch.see(`returned error, retrying after ${text}`)
    watch.end()
  },
  'statement of the console': refuseUnlessChange,
  'slow statement': normalised,
}

it.each(Object.entries(parsers))('reads a megabyte of anything in linear time: %s', (_, parse) => {
  expect(slowness(parse)).toEqual([])
})
