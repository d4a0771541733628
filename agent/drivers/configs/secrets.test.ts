import { expect, test } from 'vitest'
import { isSecret, mask } from './secrets.ts'

const key = Buffer.alloc(32, 1)
const shown = (text: string) => mask('/etc/x.conf', text, key).replaceAll(/‹secret [0-9a-f]{8}›/g, '•')

test.each([
  ['password = "Hunter2"', 'password = "•"'],
  ['api-key=abc', 'api-key=•'],
  ['gmysql-password=abc', 'gmysql-password=•'],
  ['requirepass abc', 'requirepass •'],
  ['env[DB_PASSWORD] = abc', 'env[DB_PASSWORD] = •'],
  ['fastcgi_param API_TOKEN abc;', 'fastcgi_param API_TOKEN •;'],
  ['proxy_set_header Authorization "Basic abc";', 'proxy_set_header Authorization "•";'],
  ['proxy_pass http://user:abc@10.0.0.1/;', 'proxy_pass http://user:•@10.0.0.1/;'],
  ['kari:$apr1$x$y', 'kari:•'],
  ['kari:{SHA512-CRYPT}$6$salt$hash:1001', 'kari:{SHA512-CRYPT}•:1001'],
  ['kari:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=', 'kari:{SHA}•'],
  ['kari:{PLAIN}hunter2:1001', 'kari:{PLAIN}•:1001'],
  ['kari:rqXexS6ZhobKA', 'kari:•'],
  ['env[DB_PASS] = abc', 'env[DB_PASS] = •'],
  ['SetEnv DB_PASS abc', 'SetEnv DB_PASS •'],
  ['MYSQL_PWD=abc', 'MYSQL_PWD=•'],
  ['REDIS_URL=redis://:abc@10.0.0.1/0', 'REDIS_URL=redis://:•@10.0.0.1/0'],
  ['dsn = mysql://shop:a/b@db/shop', 'dsn = mysql://shop:•@db/shop'],
  ['session.save_path = "tcp://127.0.0.1:6379?auth=abc"', 'session.save_path = "tcp://127.0.0.1:6379?auth=•"'],
  ['5 4 * * * mysqldump -u shop -pabc shop', '5 4 * * * mysqldump -u shop -p• shop'],
  ['5 4 * * * curl -s -u kari:abc https://x.example/', '5 4 * * * curl -s -u kari:• https://x.example/'],
  ['secret "/9pYvA==";\n};', 'secret "•";\n};'],
  ['password = $ecret\nuser = x', 'password = •\nuser = x'],
  ['PrivateKey = yAnz5TF=', 'PrivateKey = •'],
  ['password =\n  abc', 'password =\n  •'],
])('%s is shown as %s', (text, masked) => expect(shown(text)).toBe(masked))

test.each([
  'PasswordAuthentication no',
  'PermitRootLogin prohibit-password',
  'ssl_certificate_key /etc/ssl/private/shop.key;',
  'auth_basic_user_file /etc/nginx/users;',
  'server_tokens off;',
  'server_tokens off; # no version\nserver_name shop.example;',
  'PasswordAuthentication no\nPermitEmptyPasswords no\nPort 22',
  '# where the secret\nserver_name shop.example;',
  'smtp_sasl_password_maps = hash:/etc/postfix/sasl_passwd\nmyhostname = x',
  'proxy_set_header Authorization $http_authorization;\nproxy_pass http://127.0.0.1:8080/;',
  'fastcgi_pass unix:/run/php.sock;',
  'root:x:0:0:root:/root:/bin/bash',
])('%s holds no secret', (text) => expect(shown(text)).toBe(text))

test('marks depend on the value and the server, and do not reveal the value', () => {
  const [one, other] = ['password=a', 'password=b'].map((text) => mask('/etc/x.conf', text, key))
  expect(one).not.toBe(other)
  expect(mask('/etc/x.conf', 'password=a', Buffer.alloc(32, 2))).not.toBe(one)
  expect(mask('/etc/sudoers', '%ops ALL=(ALL) NOPASSWD: ALL', key)).toContain('NOPASSWD: ALL')
})

test('a password among the words of PAM is masked', () => {
  const text = 'auth required pam_mysql.so user=x passwd=abc crypt=1\npassword requisite pam_unix.so\n'
  expect(mask('/etc/pam.d/ftp', text, key)).toMatch(/passwd=‹secret [0-9a-f]{8}› crypt=1\npassword requisite pam_unix/)
})

test('a long text is masked in linear time', () => {
  const before = process.cpuUsage()
  for (const part of [
    '://a:',
    'password',
    'password ',
    'mysql x',
    'curl a ',
    'pass = ',
    '{PLAIN}',
    'token\n',
    '$6$',
    'a:',
  ])
    mask('/etc/x.conf', part.repeat(131_072 / part.length), key)
  expect(process.cpuUsage(before).user / 1000, 'ms of the processor').toBeLessThan(5000)
})

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n'
test.each([
  ['/etc/shadow', '', true],
  ['/etc/postfix/relay_passwords', 'mx.example kari:abc', true],
  ['/etc/default/app', `KEY=${Buffer.from(pem).toString('base64')}\n`, true],
  ['/etc/default/app', `CRT=${Buffer.from(pem.replace('RSA PRIVATE KEY', 'CERTIFICATE')).toString('base64')}\n`, false],
  ['/etc/bind/Kx.private', 'Private-key-format: v1.3\nAlgorithm: 13\n', true],
  ['/etc/ssh/pgp', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n', true],
  ['/etc/innkeeper/powerdns.key', 'abc', true],
  ['/etc/ssl/x.pem', '-----BEGIN RSA PRIVATE KEY-----\n', true],
  ['/etc/ssl/x.pem', '-----BEGIN CERTIFICATE-----\n', false],
] as const)('%s is a secret: %s', (path, text, is) => expect(isSecret(path, text)).toBe(is))
