import { expect, test } from 'vitest'
import { withOtherAddress } from './otherAddress.ts'

const wordpress = `<?php
define( 'DB_NAME', 'shop' );
$table_prefix = 'wp_';
require_once ABSPATH . 'wp-settings.php';
`
const made = (file: string, text = wordpress) => withOtherAddress(file, text, 'old.example', 'new.example')

test('adds the address to a WordPress configuration without one, in one line that is shown', () => {
  const { text, count, lines } = made('public/wp-config.php')
  expect(count).toBe(1)
  expect(lines).toMatchObject([{ line: 4, before: "require_once ABSPATH . 'wp-settings.php';" }])

  expect(text).toContain("'://new.example' ); define( 'WP_SITEURL', WP_HOME ); require_once ABSPATH")
  expect(made('public/shop/wp-config.php').text).toContain("'://new.example/shop' )")
  expect(made('wp-config.php').text).toContain("'://new.example' )")
})

test('replaces an added address like any other name, and leaves an address of another form alone', () => {
  const { text } = made('public/wp-config.php')
  expect(withOtherAddress('public/wp-config.php', text, 'new.example', 'third.example').text).toBe(
    text.replace('new.example', 'third.example'),
  )
  for (const [file, as] of [
    ['public/wp-config.php', `${wordpress}// MULTISITE`],
    ['public/wp-config.php', '<?php // nothing of WordPress\n'],
    ['public/config.php', wordpress],
  ] as const)
    expect(made(file, as)).toEqual({ text: as, count: 0, lines: [] })
})
