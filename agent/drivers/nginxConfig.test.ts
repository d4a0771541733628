import { expect, test } from 'vitest'
import { shortName } from '../kit/host.ts'
import { namesIn } from './nginxConfig.ts'
import { siteText } from './siteFile.ts'

test('server names are found with the file that claims them, without comments', () => {
  const dump = `# configuration file /etc/nginx/nginx.conf:
http { # server_name not.example;
}
# configuration file /etc/nginx/conf.d/a.conf:
server { server_name A.example
  www.a.example; }
server { server_name "b.example" a.example; }
# configuration file /etc/nginx/conf.d/b.conf:
server{server_name a.example;}
`
  const names = namesIn(dump)
  expect(names.get('a.example')).toEqual(['/etc/nginx/conf.d/a.conf', '/etc/nginx/conf.d/b.conf'])
  expect(names.get('www.a.example')).toEqual(['/etc/nginx/conf.d/a.conf'])
  expect(names.get('b.example')).toEqual(['/etc/nginx/conf.d/a.conf'])
  expect(names.has('not.example')).toBe(false)
})

test('the longest domain has a file name that a file system takes, its own', () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
  expect(shortName(long).length).toBeLessThanOrEqual(200)
  expect(shortName(long)).not.toBe(shortName(long.replace('example', 'examplf')))
  expect(shortName('shop.example')).toBe('shop.example')
})

test('a closed website has neither a folder nor PHP in its file', () => {
  const site = { domain: 'a.example', aliases: [], root: '/home/web1/a/public', username: 'web1', phpVersion: '8.2' }
  expect(siteText({ ...site, state: 'active' })).toContain('/home/web1')
  expect(siteText({ ...site, state: 'suspended' })).not.toMatch(/\/home|php/)
})
