import { describe, expect, test } from 'vitest'
import { adapted } from './knownConfigs.ts'

const to = { was: 'shop', name: 'copy', user: 'copier', password: 'a-password-that-is-long' }
const wordpress = `<?php
define( 'DB_NAME', 'shop' );
define("DB_USER",   "shopper");
define('DB_PASSWORD', 'it\\'s "old"');
define( 'DB_HOST', 'localhost' );
`
const files: [string, string, string[]][] = [
  [
    'configuration.php',
    `class JConfig { public $db = 'shop'; public $user = 'a'; public $password = 'b'; public $dbprefix = 'j_'; }`,
    ["$db = 'copy'", "$user = 'copier'", "$dbprefix = 'j_'"],
  ],
  [
    'settings.php',
    `$databases['default']['default'] = array ('database' => 'shop', 'username' => 'a', 'password' => 'b');`,
    ["'database' => 'copy'", "'username' => 'copier'"],
  ],
  [
    '.env',
    `APP_URL=http://x\nDB_DATABASE=shop # main\nDB_USERNAME="a"\nDB_PASSWORD=\n`,
    ['DB_DATABASE=copy # main', 'DB_USERNAME="copier"', `DB_PASSWORD=${to.password}`],
  ],
  [
    '.env.local',
    `DATABASE_URL="mysql://a:b%20c@127.0.0.1:3306/shop?charset=utf8mb4"`,
    [`"mysql://copier:${to.password}@127.0.0.1:3306/copy?charset=utf8mb4"`],
  ],
  [
    '.env.prod.local',
    `DATABASE_URL='postgresql://a:b@localhost:5432/shop?serverVersion=15'\n`,
    [`'postgresql://copier:${to.password}@localhost:5432/copy?serverVersion=15'`],
  ],
  [
    '.env',
    `DB_URL=pgsql://a:b@/shop?host=/run/postgresql\nDB_DATABASE=shop\nDB_USERNAME=a\nDB_PASSWORD=b\n`,
    [`DB_URL=pgsql://copier:${to.password}@/copy?host`, 'DB_DATABASE=copy', `DB_PASSWORD=${to.password}`],
  ],
  ['.env.local.php', `<?php return array ('DATABASE_URL' => 'mysql://a:b@localhost/shop');`, ['@localhost/copy']],
  ['.env.production', `PGDATABASE=shop\nPGUSER=a\nPGPASSWORD=b\n`, ['PGDATABASE=copy', `PGPASSWORD=${to.password}`]],
  [
    'LocalSettings.php',
    `$wgDBname = "shop";\n$wgDBuser = "a";\n$wgDBpassword = "b";`,
    ['$wgDBname = "copy"', '$wgDBuser = "copier"'],
  ],
  [
    'parameters.php',
    `'database_name' => 'shop', 'database_user' => 'a', 'database_password' => 'b',`,
    ["'database_name' => 'copy'"],
  ],
]

describe('the configuration of known applications', () => {
  test('points WordPress to another database and keeps everything else', () => {
    const made = adapted('wp-config.php', wordpress.replace(`'it\\'s "old"'`, `'old'`), [to])
    expect(made?.application).toBe('WordPress')
    expect(made?.text).toBe(`<?php
define( 'DB_NAME', 'copy' );
define("DB_USER",   "copier");
define('DB_PASSWORD', 'a-password-that-is-long');
define( 'DB_HOST', 'localhost' );
`)
  })

  test('replaces a password with an escaped quote completely', () => {
    expect(adapted('wp-config.php', wordpress, [to])?.text).toContain(
      `define('DB_PASSWORD', 'a-password-that-is-long');`,
    )
  })

  test.for(files)('%s', ([file, text, parts]) => {
    const made = adapted(file, text, [to])
    for (const part of parts) expect(made?.text).toContain(part)
  })

  test('leaves files of other databases and other applications alone', () => {
    expect(adapted('wp-config.php', wordpress.replace("'shop'", "'elsewhere'"), [to])).toBeUndefined()
    expect(adapted('other.php', wordpress, [to])).toBeUndefined()
    expect(adapted('wp-config.php', `<?php // nothing of a database`, [to])).toBeUndefined()
    expect(adapted('.env', 'DB_DATABASE=shop_2\nDB_USERNAME=a\nDB_PASSWORD=b', [to])).toBeUndefined()
  })

  test('does not adapt a file twice', () => {
    const once = adapted('wp-config.php', wordpress, [to])
    expect(adapted('wp-config.php', once?.text ?? '', [to])).toBeUndefined()
  })
})
