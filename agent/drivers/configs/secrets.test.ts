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
])('%s is shown as %s', (text, masked) => expect(shown(text)).toBe(masked))

test.each([
  'PasswordAuthentication no',
  'PermitRootLogin prohibit-password',
  'ssl_certificate_key /etc/ssl/private/shop.key;',
  'auth_basic_user_file /etc/nginx/users;',
  'server_tokens off;',
])('%s holds no secret', (text) => expect(shown(text)).toBe(text))

test('marks depend on the value and the server, and do not reveal the value', () => {
  const [one, other] = ['password=a', 'password=b'].map((text) => mask('/etc/x.conf', text, key))
  expect(one).not.toBe(other)
  expect(mask('/etc/x.conf', 'password=a', Buffer.alloc(32, 2))).not.toBe(one)
  expect(mask('/etc/sudoers', '%ops ALL=(ALL) NOPASSWD: ALL', key)).toContain('NOPASSWD: ALL')
})

test.each([
  ['/etc/shadow', '', true],
  ['/etc/innkeeper/powerdns.key', 'abc', true],
  ['/etc/ssl/x.pem', '-----BEGIN RSA PRIVATE KEY-----\n', true],
  ['/etc/ssl/x.pem', '-----BEGIN CERTIFICATE-----\n', false],
] as const)('%s is a secret: %s', (path, text, is) => expect(isSecret(path, text)).toBe(is))
