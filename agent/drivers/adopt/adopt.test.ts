import { expect, it } from 'vitest'
import { configurationIn, directivesIn, serversIn } from '../nginx/nginxText.ts'
import { hostsIn } from './apacheText.ts'

it('reads servers of nginx: names, roots, PHP, applications and redirects', () => {
  const text = `# configuration file /etc/nginx/nginx.conf:
events {}
http {
  map $uri $x { default "a;b{"; ~^/y 'it\\'s'; }
  server { listen 80; server_name shop.example www.shop.example; return 301 https://$host$request_uri; }
  server {
    listen 443 ssl; server_name shop.example; # a comment with ; and }
    root "/srv/shop/public"; ssl_certificate /etc/ssl/a.pem; ssl_certificate_key /etc/ssl/a.key;
    location ~ \\.php$ { fastcgi_pass unix:/run/php/shop.sock; }
    location /admin { auth_basic_user_file /etc/htpasswd; }
  }
  server { server_name app.example; location / { proxy_pass http://127.0.0.1:3000; } }
  server { server_name _ ~^(?<x>.+)\\.wild$ old.example; return 301 https://new.example/; }
}`
  expect(serversIn(directivesIn(text))).toMatchObject([
    { names: ['shop.example', 'www.shop.example'], root: undefined, redirect: undefined },
    {
      ...{ names: ['shop.example'], root: '/srv/shop/public', php: 'unix:/run/php/shop.sock', guarded: true },
      ...{ certificate: '/etc/ssl/a.pem', key: '/etc/ssl/a.key', proxy: undefined },
    },
    { names: ['app.example'], proxy: 'http://127.0.0.1:3000' },
    { names: ['old.example'], redirect: 'https://new.example/' },
  ])
})

it('puts files where others include them, as nginx -T prints each by itself', () => {
  const text = `# configuration file /etc/nginx/nginx.conf:
http { include /etc/nginx/conf.d/*.conf; include /etc/nginx/innkeeper/sites/*.conf; include sites-enabled/*; }
stream { server { listen 53; } }
# configuration file /etc/nginx/sites-enabled/shop:
server { server_name shop.example; root /srv/shop; location ~ php { include snippets/php.conf; } }
# configuration file /etc/nginx/snippets/php.conf:
fastcgi_pass unix:/run/shop.sock;
# configuration file /etc/nginx/innkeeper/sites/own.example.conf:
server { server_name own.example; root /home/web1/own.example/public; }
# configuration file /etc/nginx/conf.d/app.conf:
server { server_name app.example; root /srv/app; }
`
  expect(serversIn(configurationIn(text)).map(({ names, php }) => [...names, php])).toEqual([
    ['app.example', undefined],
    ['shop.example', 'unix:/run/shop.sock'],
  ])
  const loop = '# configuration file /etc/nginx/nginx.conf:\nhttp { include /etc/nginx/nginx.conf; }\n'
  expect(() => configurationIn(loop)).toThrow('too many')
})

it('ends with broken configurations, in a time that grows with their length alone', () => {
  for (const text of [
    '{{{{',
    '}}}}',
    'server { root "',
    "'".repeat(100_001),
    '${'.repeat(50_000),
    'a { '.repeat(20_000),
  ])
    expect(() => serversIn(directivesIn(text))).not.toThrow()
})

it('reads virtual hosts of Apache', () => {
  const [host, proxied] = hostsIn(`<VirtualHost *:443>
  ServerName https://blog.example:443
  ServerAlias www.blog.example  b.example
  DocumentRoot "/home/dave/blog"
  <Directory /home/dave/blog>
    AuthUserFile /home/dave/.htpasswd
  </Directory>
  <FilesMatch \\.php$>
    SetHandler "proxy:unix:/run/php/dave.sock|fcgi://localhost"
  </FilesMatch>
  Redirect permanent / https://blog.example/
</VirtualHost>
<VirtualHost *:80>
  ServerName api.example
  ProxyPass / http://127.0.0.1:4000/
</VirtualHost>`)
  expect(host).toMatchObject({
    ...{ names: ['blog.example', 'www.blog.example', 'b.example'], root: '/home/dave/blog', guarded: true },
    ...{ php: '/run/php/dave.sock', redirect: undefined },
  })
  expect(proxied).toMatchObject({ names: ['api.example'], proxy: 'http://127.0.0.1:4000/' })
})
