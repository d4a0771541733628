import { createHash } from 'node:crypto'
import type { Host } from '@innkeeper/lab/host'

/** Passwords of the account's people, which only their hashes in the archive know. */
export const passwords = { database: 'old shop password', info: 'old mail password', upload: 'old upload password' }

const native = (password: string) => {
  const once = createHash('sha1').update(password).digest()
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`
}

/**
 * Makes an archive on the host as HestiaCP writes it, by tar and gzip of Debian: a shop with its database, a static website
 * with an alias, a suspended one, mail with flags, a zone, a cron job and an FTP user; among them members that must not be carried. `change`: what
 * happened on the former server meanwhile, as commands of a shell; `last`: commands in the folder that becomes the archive.
 */
export async function putHestiaArchive(host: Host, path: string, change = '', last = ''): Promise<void> {
  const sh = async (script: string) => {
    const ran = await host.exec(['sh', '-euc', script])
    if (ran.code !== 0) throw new Error(`${ran.stdout}${ran.stderr}`)
    return ran.stdout.trim()
  }
  const crypt = async (password: string) => sh(`openssl passwd -6 '${password}'`)
  const put = (file: string, text: string) =>
    sh(`mkdir -p "$(dirname '${file}')"; cat > '${file}' <<'END'\n${text}\nEND`)
  const [mail, ftp] = [await crypt(passwords.info), await crypt(passwords.upload)]
  const at = '/tmp/archive'
  await sh(`rm -rf ${at}; mkdir -p ${at} '${path.slice(0, path.lastIndexOf('/'))}'`)
  await put(`${at}/hestia/user.conf`, "NAME='alice' PACKAGE='default' CONTACT='alice@old.example' SUSPENDED='no'")
  const web = (domain: string, more: string) =>
    put(
      `${at}/web/${domain}/hestia/web.conf`,
      `DOMAIN='${domain}' IP='192.0.2.9' BACKEND='PHP-8_2' SUSPENDED='no' ${more}`,
    )
  await web(
    'old-shop.example',
    `ALIAS='www.old-shop.example' FTP_USER='alice_up' FTP_MD5='${ftp}' FTP_PATH='/public_html/uploads'`,
  )
  await web('old-static.example', "ALIAS='also-static.example'")
  await web('old-closed.example', "SUSPENDED='yes'")
  const [shop, plain] = ['/tmp/data-shop', '/tmp/data-static']
  await sh(
    `rm -rf ${shop} ${plain}; mkdir -p ${shop}/public_html/uploads ${shop}/private ${shop}/logs ${plain}/public_html`,
  )
  await put(
    `${shop}/public_html/index.php`,
    `<?php require 'wp-config.php'; $db = new mysqli('localhost', DB_USER, DB_PASSWORD, DB_NAME); echo $db->query('select title from posts where id = 1')->fetch_row()[0];`,
  )
  await put(
    `${shop}/public_html/wp-config.php`,
    `<?php define('DB_NAME', 'alice_shop'); define('DB_USER', 'alice_shop'); define('DB_PASSWORD', '${passwords.database}');`,
  )
  await put(`${shop}/private/secret.txt`, 'private')
  await put(`${shop}/logs/access.log`, 'not carried')
  await put(`${plain}/public_html/index.html`, 'a static page')
  await sh(`ln -s /etc/shadow ${shop}/public_html/uploads/evil; ln -s ../index.php ${shop}/public_html/uploads/good
    mkfifo ${shop}/public_html/pipe; chmod 4755 ${shop}/private/secret.txt; cp /etc/hostname "${shop}/public_html/blåbær \\$(x).txt"
    chown -R 4321:4321 ${shop} ${plain}
    mkdir -p /tmp/data-closed/public_html; echo closed > /tmp/data-closed/public_html/index.html; chown -R 4321:4321 /tmp/data-closed
    ${change}
    for d in shop static closed; do tar -C /tmp/data-$d -czf ${at}/web/old-$d.example/domain_data.tar.gz .; done`)
  await put(
    `${at}/db/alice_shop/hestia/db.conf`,
    `DB='alice_shop' DBUSER='alice_shop' MD5='${native(passwords.database)}' HOST='localhost' TYPE='mysql' CHARSET='UTF8MB4' SUSPENDED='no'`,
  )
  await put(
    '/tmp/shop.sql',
    `-- MySQL dump 10.13
CREATE TABLE \`posts\` (\`id\` int NOT NULL, \`title\` varchar(90) COLLATE utf8mb4_0900_ai_ci, PRIMARY KEY (\`id\`)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO \`posts\` VALUES (1,'from the old blåbær database'),(2,'two');
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=\`root\`@\`%\` SQL SECURITY DEFINER */
/*!50001 VIEW \`latest\` AS select \`posts\`.\`id\` AS \`id\` from \`posts\` */;
-- Dump completed`,
  )
  await sh(`gzip -c /tmp/shop.sql > ${at}/db/alice_shop/alice_shop.mysql.sql.gz`)
  const post = `${at}/mail/old-shop.example`
  await put(`${post}/hestia/mail.conf`, "DOMAIN='old-shop.example' CATCHALL='' DKIM='yes' SUSPENDED='no'")
  await put(
    `${post}/hestia/old-shop.example.conf`,
    `ACCOUNT='info' ALIAS='sales' AUTOREPLY='no' FWD='' FWD_ONLY='' MD5='{SHA512-CRYPT}${mail}' QUOTA='unlimited' SUSPENDED='no'\nACCOUNT='second' ALIAS='' FWD='' MD5='{SHA512-CRYPT}${mail}' QUOTA='50' SUSPENDED='no'`,
  )
  const box = '/tmp/data-mail/info'
  await sh(`rm -rf /tmp/data-mail; mkdir -p ${box}/cur ${box}/new ${box}/tmp ${box}/.Sent/cur /tmp/data-mail/second/cur
    for n in 1 2 3; do printf 'Subject: old %s\\r\\n\\r\\nText\\r\\n' $n > "${box}/cur/170000000$n.M1P$n.old:2,FS"; done
    printf 'Subject: unread\\r\\n\\r\\nText\\r\\n' > ${box}/new/1700000009.M1P9.old
    printf 'Subject: sent\\r\\n\\r\\nText\\r\\n' > "${box}/.Sent/cur/1700000008.M1P8.old:2,S"; printf 'Sent\\n' > ${box}/subscriptions
    tar -C /tmp/data-mail -czf ${post}/accounts.tar.gz info second`)
  await put(
    `${at}/dns/old-shop.example/hestia/dns.conf`,
    "DOMAIN='old-shop.example' IP='192.0.2.9' TTL='3600' DNSSEC='no' SUSPENDED='no'",
  )
  await put(
    `${at}/dns/old-shop.example/hestia/old-shop.example.conf`,
    `ID='1' RECORD='@' TYPE='NS' PRIORITY='' VALUE='ns1.old.example.' SUSPENDED='no'
ID='2' RECORD='@' TYPE='A' PRIORITY='' VALUE='192.0.2.9' SUSPENDED='no'
ID='3' RECORD='@' TYPE='MX' PRIORITY='10' VALUE='mail.old-shop.example.' SUSPENDED='no'
ID='4' RECORD='mail' TYPE='A' PRIORITY='' VALUE='192.0.2.9' SUSPENDED='no'
ID='5' RECORD='elsewhere' TYPE='A' PRIORITY='' VALUE='198.51.100.7' SUSPENDED='no'
ID='6' RECORD='@' TYPE='TXT' PRIORITY='' VALUE='"it%quote%s a text"' SUSPENDED='no'`,
  )
  await put(
    `${at}/cron/cron.conf`,
    `JOB='1' MIN='17' HOUR='3' DAY='*' MONTH='*' WDAY='*' CMD='php /home/alice/web/old-shop.example/public_html/job.php %quote%a b%quote%' SUSPENDED='no'`,
  )
  await sh(`cd ${at}; ${last || ':'}; tar -C ${at} -cf '${path}' .`)
}
