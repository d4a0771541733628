import { expect, test } from 'vitest'
import { shortName } from '../../kit/host.ts'
import { apache } from '../apache/apache.ts'
import { namesIn as apacheNamesIn } from '../apache/apacheConfig.ts'
import { nginx } from '../nginx/nginx.ts'
import { namesIn } from '../nginx/nginxConfig.ts'
import type { Site } from './siteFile.ts'

test('finds server names with their files, ignoring comments', () => {
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

test('finds names of virtual hosts with their files, including aliases and wildcards', () => {
  const dump = `VirtualHost configuration:
127.0.0.1:4479         localhost (/etc/apache2/innkeeper/generation.conf:3)
*:80                   is a NameVirtualHost
         default server unknown.invalid (/etc/apache2/conf-enabled/innkeeper.conf:12)
         port 80 namevhost unknown.invalid (/etc/apache2/conf-enabled/innkeeper.conf:12)
         port 80 namevhost A.example (/etc/apache2/innkeeper/sites/a.example.conf:4)
                 alias www.a.example
                 wild alias *.a.example
         port 80 namevhost b.example (/etc/apache2/sites-enabled/by-hand.conf:1)
                 alias a.example
`
  const names = apacheNamesIn(dump)
  const [own, byHand] = ['/etc/apache2/innkeeper/sites/a.example.conf', '/etc/apache2/sites-enabled/by-hand.conf']
  expect(names.get('a.example')).toEqual([own, byHand])
  expect([names.get('www.a.example'), names.get('*.a.example')]).toEqual([[own], [own]])
  expect(names.get('b.example')).toEqual([byHand])
})

test('gives the longest domain a unique file name that file systems accept', () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
  expect(shortName(long).length).toBeLessThanOrEqual(200)
  expect(shortName(long)).not.toBe(shortName(long.replace('example', 'examplf')))
  expect(shortName('shop.example')).toBe('shop.example')
})

test.each([nginx, apache])('puts neither folder nor PHP into the file of a closed website: $name', ({ siteText }) => {
  const site: Omit<Site, 'state'> = {
    domain: 'a.example',
    aliases: [],
    root: '/home/web1/a/public',
    username: 'web1',
    phpVersion: '8.2',
  }
  expect(siteText({ ...site, state: 'active' })).toContain('/home/web1')
  expect(siteText({ ...site, state: 'suspended' })).not.toMatch(/\/home|php/)
})
