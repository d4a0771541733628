import { expect } from 'vitest'
import type { Innkeeper } from './innkeeper.ts'
import { ends, visit } from './sites.ts'
import { until } from './until.ts'

interface Machine {
  address: string
  /** Runs a script of the shell that must succeed. */
  there(script: string): Promise<string>
}
const site = 'old-place.example'

/** Takes over a website of a hand-made nginx where it lies, gives it back, and takes it over for good. */
export async function takenOver(
  innkeeper: Innkeeper,
  { address, there }: Machine,
  known: { server: number; adoption: number; userId: number; plan: number },
): Promise<void> {
  const api = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => innkeeper.must(method, path, body)
  await there(handMade)
  const files = () =>
    there('cat /etc/nginx/sites-enabled/place /etc/nginx/sites-enabled/old.conf; stat -c %a /home/dora')
  const before = await files()
  const certificate = () =>
    there(
      `openssl s_client -connect ${address}:443 -servername ${site} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256`,
    )
  const shown = await certificate()
  // php-fpm reloads after its command has ended
  await until('the website answers', async () => (await visit(address, site)).status === 200)
  await there(visitors)
  const { version } = await api('GET', `/cloud-management/servers/view/${known.server}`)
  await api('PATCH', `/cloud-management/servers/${known.server}`, { type: 'web', version })
  const one = () => api('GET', `/adoptions/${known.adoption}`)
  const looked = await api('POST', `/adoptions/${known.adoption}/look`, { version: (await one()).version })
  await ends(innkeeper, looked.workflowId, 'done')
  const what = { account: 'dora', website: site, userId: known.userId, plan: known.plan }
  const query = new URLSearchParams({ ...what, userId: `${known.userId}`, plan: `${known.plan}` })
  const take = async () => {
    const { facts, files: shown, problems } = await api('GET', `/adoptions/${known.adoption}/place?${query}`)
    expect(problems).toEqual({})
    expect(facts.obstacles).toEqual([])
    expect(shown.map(({ file }: { file: string }) => file)).toContain('/etc/nginx/sites-enabled/place')
    const { seen, root, phpVersion, serves, redirects, application, renews } = facts
    expect(renews).toBe(true)
    const body = { ...what, seen, root, phpVersion, serves, redirects, application, certificate: 'renews' }
    const { data } = await api('POST', `/adoptions/${known.adoption}/places`, body)
    return until('the website is taken over', async () => {
      const place = (await one()).places.find(({ id }: { id: number }) => id === data.id)
      if (place.status === 'undone' || place.status === 'failed') throw new Error(place.reason)
      return place.status === 'taken' && place
    })
  }
  const first = await take()
  expect((await visit(address, site)).body).toBe('a place of dora')
  expect(await there(`cat /etc/nginx/innkeeper/sites/${site}.conf`)).toContain('root /home/dora/www;')
  const undone = await api('POST', `/adoptions/places/${first.id}/undo`)
  await ends(innkeeper, undone.workflowId, 'rolled-back')
  expect(await files()).toBe(before)
  expect((await visit(address, site)).body).toBe('a place of dora')
  expect(await certificate()).toBe(shown)
  const kept = () => api('GET', `/ssl-controller/certificate?search=${site}`)
  expect((await kept()).items).toEqual([])

  const second = await take()
  expect(await certificate()).toBe(shown)
  const accepted = await api('POST', `/adoptions/places/${second.id}/accept`)
  await ends(innkeeper, accepted.workflowId, 'done')
  const visits = (await there('touch /tmp/stop; cat /tmp/place-visits')).split('\n')
  expect(visits.length).toBeGreaterThanOrEqual(10)
  expect(visits.flatMap((status, n) => (status === '200' ? [] : `${status} at visit ${n}`))).toEqual([])
  expect((await kept()).items).toMatchObject([{ status: 'active', autoRenew: true, fingerprint: fingerprintIn(shown) }])
  // an ordinary website from now on
  const { workflowId } = await api('PATCH', `/websites/${second.websiteId}`, { status: 'suspended' })
  await ends(innkeeper, workflowId, 'done')
  expect((await visit(address, site)).status).toBe(503)
  const active = await api('PATCH', `/websites/${second.websiteId}`, { status: 'active' })
  await ends(innkeeper, active.workflowId, 'done')
  await there('systemctl restart nginx')
  expect((await visit(address, site)).body).toBe('a place of dora')
  expect(await certificate()).toBe(shown)
}

const fingerprintIn = (text: string) => text.split('=')[1]?.replaceAll(':', '').toLowerCase()

const handMade = `rm -rf /usr/local/hestia; useradd --create-home dora; mkdir -p /home/dora/www; chmod 755 /home/dora
  echo "<?php echo 'a place of ' . get_current_user();" > /home/dora/www/index.php; chown -R dora: /home/dora
  printf '[dora]\\nuser = dora\\nlisten = /run/dora.sock\\nlisten.mode = 0666\\npm = ondemand\\npm.max_children = 2\\n' > /etc/php/8.2/fpm/pool.d/dora.conf
  printf 'server { listen 80; server_name old-place.example; root /home/dora/www; index index.php; location ~ [.]php$ { include fastcgi_params; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name; fastcgi_pass unix:/run/dora.sock; } }\\nserver { listen 443 ssl; server_name old-place.example; root /home/dora/www; index index.php; ssl_certificate /etc/nginx/dora.pem; ssl_certificate_key /etc/nginx/dora.key; location ~ [.]php$ { include fastcgi_params; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name; fastcgi_pass unix:/run/dora.sock; } }\\n' > /etc/nginx/sites-enabled/place
  cd /tmp; openssl req -x509 -newkey rsa:2048 -nodes -days 900 -subj '/O=An authority/CN=A1' -keyout ca.key -out ca.pem 2>/dev/null
  openssl req -newkey rsa:2048 -nodes -subj /CN=old-place.example -keyout /etc/nginx/dora.key -out csr 2>/dev/null; echo subjectAltName=DNS:old-place.example > ext
  openssl x509 -req -in csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 90 -extfile ext -out leaf.pem 2>/dev/null; cat leaf.pem ca.pem > /etc/nginx/dora.pem
  nginx -t -q; systemctl reload nginx php8.2-fpm`

const visitors = `rm -f /tmp/stop /tmp/place-visits; setsid sh -c 'while [ ! -e /tmp/stop ]; do
  curl -s -o /dev/null -w "%{http_code}\\n" -H "Host: old-place.example" http://127.0.0.1/ >> /tmp/place-visits; sleep 0.1; done' >/dev/null 2>&1 </dev/null &`
