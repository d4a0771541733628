import { createHash } from 'node:crypto'
import type { Host } from '@innkeeper/lab/host'

export const passwords = { database: 'old blog password', info: 'old box password' }

const native = (password: string) => {
  const once = createHash('sha1').update(password).digest()
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`
}

/**
 * Makes an archive on the host as cPanel writes it, by tar and gzip of Debian: a blog with its database and a certificate,
 * an addon domain that is also a subdomain, mail with a DKIM key, and a cron job; among them a link and a pipe that must not
 * be carried. Answers the public half of the key.
 */
export async function putCpanelArchive(host: Host, path: string): Promise<string> {
  const sh = async (script: string) => {
    const ran = await host.exec(['sh', '-euc', script])
    if (ran.code !== 0) throw new Error(`${ran.stdout}${ran.stderr}`)
    return ran.stdout.trim()
  }
  const top = '/tmp/cpanel/cpmove-bob'
  const put = (file: string, text: string) =>
    sh(`mkdir -p "$(dirname '${top}/${file}')"; cat > '${top}/${file}' <<'END'\n${text}\nEND`)
  await sh(`rm -rf /tmp/cpanel; mkdir -p ${top}/domainkeys/private ${top}/domainkeys/public ${top}/apache_tls`)
  await put('cp/bob', 'DNS=old-blog.example\nPLAN=gold\nIP=192.0.2.8\nCONTACTEMAIL=bob@old.example')
  await put(
    'userdata/main',
    '---\nmain_domain: old-blog.example\naddon_domains:\n  old-addon.example: addon.old-blog.example\nparked_domains:\n  - old-parked.example\nsub_domains:\n  - addon.old-blog.example',
  )
  await put(
    'userdata/old-blog.example',
    'documentroot: /home/bob/public_html\nphpversion: ea-php82\nserveralias: www.old-blog.example mail.old-blog.example',
  )
  await put('userdata/addon.old-blog.example', 'documentroot: /home/bob/public_html/addon\nphpversion: ea-php82')
  const home = 'homedir/public_html'
  await put(`${home}/.htaccess`, 'AddHandler application/x-httpd-ea-php82 .php\nDirectoryIndex index.php')
  await put(
    `${home}/index.php`,
    `<?php require 'wp-config.php'; echo (new mysqli('localhost', DB_USER, DB_PASSWORD, DB_NAME))->query('select title from posts')->fetch_row()[0];`,
  )
  await put(
    `${home}/wp-config.php`,
    `<?php define('DB_NAME', 'bob_blog'); define('DB_USER', 'bob_u'); define('DB_PASSWORD', '${passwords.database}');`,
  )
  await put(`${home}/addon/index.html`, 'the addon page')
  await put('mysql/bob_blog.create', 'CREATE DATABASE `bob_blog` /*!40100 DEFAULT CHARACTER SET utf8mb4 */;')
  await put(
    'mysql/bob_blog.sql',
    "-- MySQL dump 10.13\nCREATE TABLE `posts` (`id` int NOT NULL, `title` varchar(90), PRIMARY KEY (`id`));\nINSERT INTO `posts` VALUES (1,'from the old blog');\n-- Dump completed",
  )
  await put(
    'mysql.sql',
    `GRANT USAGE ON *.* TO 'bob_u'@'localhost' IDENTIFIED BY PASSWORD '${native(passwords.database)}';\nGRANT ALL PRIVILEGES ON \`bob\\_blog\`.* TO 'bob_u'@'localhost';`,
  )
  await put('homedir/etc/old-blog.example/shadow', `info:${await sh(`openssl passwd -6 '${passwords.info}'`)}:1::::::`)
  await put('homedir/etc/old-blog.example/quota', 'info:104857600')
  await put('homedir/mail/old-blog.example/info/cur/1700000001.M1P2.old:2,S', 'Subject: old\n\nText')
  await put('va/old-blog.example', '*: ":fail: No Such User Here"\nsales@old-blog.example: info@old-blog.example')
  await put('cron/bob', 'SHELL="/bin/bash"\n5 4 * * * php /home/bob/public_html/job.php')
  await put('proftpdpasswd', 'bob:x:1001:1001::/home/bob:/bin/ftpsh')
  await sh(`ln -s /etc/passwd ${top}/${home}/evil; mkfifo ${top}/${home}/pipe
    openssl genrsa -out ${top}/domainkeys/private/old-blog.example 2048 2>/dev/null
    openssl rsa -in ${top}/domainkeys/private/old-blog.example -pubout -out ${top}/domainkeys/public/old-blog.example 2>/dev/null
    openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=old-blog.example -keyout /tmp/cpanel/key -out /tmp/cpanel/crt \
      -addext subjectAltName=DNS:old-blog.example,DNS:www.old-blog.example,DNS:old-parked.example,DNS:www.old-parked.example 2>/dev/null
    cat /tmp/cpanel/key /tmp/cpanel/crt > ${top}/apache_tls/old-blog.example
    mkdir -p "$(dirname '${path}')"; tar -C /tmp/cpanel -czf '${path}' cpmove-bob`)
  return sh(`grep -v -- ----- ${top}/domainkeys/public/old-blog.example | tr -d '\\n'`)
}
