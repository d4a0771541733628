import { expect, test } from 'vitest'
import { withOtherPlace } from './siteConfig.ts'

test('paths of the former folder lead to the present one, whatever the domain in them', () => {
  const text = `'trusted_domains' => [ 0 => 'cloud.example' ],
'datadirectory' => '/home/cloud/cloud.example/public/data',
'logs' => '/home/cloud/cloud.example-logs/a', 'root' => '/home/cloud/cloud.example',`
  const input = {
    path: '/home/copy1/staging-1.cloud.example',
    from: { username: 'cloud', path: '/home/cloud/cloud.example' },
    names: { from: 'cloud.example', to: 'staging-1.cloud.example' },
  }
  const made = withOtherPlace('public/config/config.php', text, input)
  expect(made).toContain(`[ 0 => 'staging-1.cloud.example' ]`)
  expect(made).toContain(`'datadirectory' => '/home/copy1/staging-1.cloud.example/public/data'`)
  expect(made).toContain(`'root' => '/home/copy1/staging-1.cloud.example'`)
  expect(made).toContain(`'logs' => '/home/cloud/`)
  expect(withOtherPlace('public/config/config.php', text, { path: input.path })).toBe(text)
})
