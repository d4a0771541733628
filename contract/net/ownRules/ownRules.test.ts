import { describe, expect, test } from 'vitest'
import { apacheProblems } from './apacheRules.ts'
import { nginxProblems } from './nginxRules.ts'

const said = (problems: { line: number; text: string }[]) =>
  problems.map(({ line, text }) => `${line}: ${text}`).join('\n')

describe('own rules of nginx', () => {
  test.for([
    'location = /old { return 301 /new; }',
    'location ~* \\.(?:css|js)$ {\n  expires 30d; # a month\n  add_header Cache-Control "public, immutable" always;\n}',
    'if ($host = www.shop.example) { return 301 https://shop.example$request_uri; }',
    'if ($http_user_agent ~* "(bad|worse)") { return 403; }',
    'rewrite ^/a/(.*)$ /b/$1 last;\nlocation /b/ { try_files $uri $uri/ /b/index.php?$args; }',
    'set $skip 0;\nif ($request_method = POST) { set $skip 1; }',
    'location = /xmlrpc.php { deny all; }',
    'location /x/ { allow 192.0.2.0/24; deny all; limit_except GET { deny all; } }',
    'location ~ "^/[a-z]{2}/$" { rewrite ^ /index.php?lang=$uri last; }',
    'location ~ \\.mjs$ { types { text/javascript mjs; } }',
    'error_page 404 = /missing.php;',
    'location / { try_files $uri /app.php?$args; }',
  ])('take %s', (text) => expect(said(nginxProblems(text))).toBe(''))

  test.for([
    ['include /etc/passwd;', 'include'],
    ['location /x { root /; }', 'root'],
    ['location /x/ { alias /etc/; }', 'alias'],
    ['location /x/ { proxy_pass http://127.0.0.1:4479; }', 'no other server'],
    ['location /x/ { fastcgi_pass unix:/run/php/other.sock; }', 'PHP'],
    ['access_log off;', 'statistics'],
    ['error_log /home/x/y debug;', 'statistics'],
    ['load_module modules/x.so;', 'modules'],
    ['js_content x.y;', 'js_content'],
    ['disable_symlinks off;', 'disable_symlinks'],
    ['set $innkeeper_php unix:/run/php/other.sock;', 'Innkeeper'],
    ['set $path_info /x;', 'belongs to'],
    ['set $document_root /;', 'belongs to'],
    ['location /x/ { try_files /../../other/$uri =404; }', 'leads out'],
    ['location /x/ { try_files /$arg_f =404; }', '$arg_f'],
    ['location /x/ { try_files $uri.php =404; }', 'as text'],
    ['rewrite ^ /$arg_f last;', '$arg_f'],
    ['rewrite ^/x/(.*)$ /y/$1 break;', 'break'],
    ['location = /config.php { expires 1d; }', 'as text'],
    ['location @x { return 404; }', 'path'],
    ['if (-f $arg_f) { return 404; }', '$request_filename'],
    ['} server { listen 81;', '}'],
    ['return 301 /new', ';'],
    ['location /x { return 404;', '}'],
    ['return 200 "a" "b;\n";', 'quotes'],
    ['add_header a"b" c;', 'quotes'],
    [`location /a { location /b { location /c { location /d { location /e { } } } } }`, 'blocks'],
    ['return 200 "\u202e";', 'character'],
  ] as const)('refuse %s', ([text, why]) => expect(said(nginxProblems(text))).toContain(why))

  test('read a long text in linear time', () => {
    for (const text of [
      '('.repeat(16_000),
      '"\\'.repeat(8000),
      'a '.repeat(8000),
      '{'.repeat(16_000),
      '$'.repeat(16_000),
    ])
      expect(nginxProblems(text.replace(/(.{900})/g, '$1\n'))).not.toEqual([])
  })
})

describe('own rules of Apache', () => {
  test.for([
    'RewriteCond "%{HTTP_HOST}" "^www\\." [NC]\nRewriteRule ^ https://shop.example%{REQUEST_URI} [R=301,L]',
    'RewriteCond "%{DOCUMENT_ROOT}%{REQUEST_URI}" !-f\nRewriteRule "^/a/(.*)$" "/b/$1" [PT,L]',
    'Redirect 301 /old https://shop.example/new\nRedirectMatch gone ^/gone/',
    '<Location "/private">\n  Require ip 192.0.2.0/24\n</Location>',
    '<FilesMatch "\\.(css|js)$">\n  Header set Cache-Control "public, max-age=600"\n</FilesMatch>',
    '# a comment\nErrorDocument 404 /missing.php\nAddType text/javascript .mjs',
  ])('take %s', (text) => expect(said(apacheProblems(text))).toBe(''))

  test.for([
    ['Include /etc/passwd', 'Include'],
    ['Alias /x /etc', 'Alias'],
    ['DocumentRoot /', 'folder'],
    ['ProxyPass / http://127.0.0.1/', 'no other server'],
    ['SetHandler "proxy:unix:/run/php/other.sock|fcgi://localhost"', 'PHP'],
    ['CustomLog "|/bin/sh" x', 'statistics'],
    ['LoadModule x /tmp/x.so', 'modules'],
    ['RewriteRule ^ http://127.0.0.1/ [P]', 'flag P'],
    ['RewriteRule ^ - [H=proxy:unix:/x]', 'flag H'],
    ['RewriteRule ^ /home/other/public/x', 'PT'],
    ['RewriteRule ^/(.*) $1 [PT]', 'begin with /'],
    ['RewriteRule ^ "/%{file:/etc/passwd}" [R]', 'may not'],
    ['RewriteCond expr "file(\'/etc/passwd\') =~ /x/"', 'may test'],
    ['RewriteCond "%{QUERY_STRING}" -f', '-f'],
    ['RewriteMap x prg:/bin/sh', 'RewriteMap'],
    ['Header set X expr=%{file:/etc/passwd}', 'plain value'],
    ['ErrorDocument 404 "%{file:/etc/passwd}"', 'without %{'],
    ['Require expr true', 'knows'],
    ['<If "true">\n</If>', '<If>'],
    ['<Directory "/">\nRequire all granted\n</Directory>', '<Directory>'],
    ['</VirtualHost>', 'did not begin'],
    ['Header set X y \\\nInclude /etc/passwd', 'ends with'],
    ['Header set X "\x24{HOME}"', 'variable'],
    ['<Location "/x">', 'lacks its end'],
    ['<Location "/x">\nRewriteRule ^ - [F]\n</Location>', 'cannot stand'],
  ] as const)('refuse %s', ([text, why]) => expect(said(apacheProblems(text))).toContain(why))
})
