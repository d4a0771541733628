/** Both web servers, with their files and checks. */
export const webs = [
  {
    web: 'nginx',
    gateway: '502',
    refuses: 0,
    etc: '/etc/nginx',
    byHand: '/etc/nginx/conf.d/by-hand.conf',
    broken: 'server { listen 80; server_name "a b\n',
    taken: 'server { listen 80; server_name Taken.example; return 200 "by hand"; }\n',
    pid: '/run/nginx.pid',
    workers: 'nginx: worker',
    check: ['nginx', '-t', '-q'],
    dump: 'nginx -T -q',
    generation: /return 200 "\d+"/,
    later: 'return 200 "9999"',
  },
  {
    web: 'apache',
    gateway: '503',
    refuses: 421,
    etc: '/etc/apache2',
    byHand: '/etc/apache2/sites-enabled/by-hand.conf',
    broken: '<VirtualHost *:80>\n  Nonsense on\n',
    taken:
      '<VirtualHost *:80>\n  ServerName Taken.example\n  Redirect 404 /\n  ErrorDocument 404 "by hand"\n</VirtualHost>\n',
    pid: '/run/apache2/apache2.pid',
    workers: 'apache2 -k start',
    check: ['apache2ctl', 'configtest'],
    dump: 'apache2ctl -t -D DUMP_VHOSTS; cat /etc/apache2/innkeeper/sites/*',
    generation: /innkeeper_answer:\d+/,
    later: 'innkeeper_answer:9999',
  },
] as const
