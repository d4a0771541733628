import { addOwner, visit } from '../sites.ts'
import type { Kind, Subject } from './kinds.ts'
import { calmly, readWebsite } from './workflows.ts'
import type { World } from './world.ts'

/** A website that somebody else's configuration serves, of an account that only this round has. */
const accountOf = ({ name }: Subject) => `p${name.replace(/[^a-z0-9]/g, '').slice(0, 20)}`
const siteOf = (subject: Subject) => `${accountOf(subject)}.example`

async function putSite(subject: Subject): Promise<void> {
  const [account, site] = [accountOf(subject), siteOf(subject)]
  const script = `id ${account} >/dev/null 2>&1 || useradd --create-home ${account}; mkdir -p /home/${account}/www
    printf 'a page' > /home/${account}/www/index.html; chown -R ${account}: /home/${account}; chmod 755 /home/${account}
    printf 'server { listen 80; server_name ${site}; root /home/${account}/www; }\\n' > /etc/nginx/sites-enabled/${site}
    nginx -t -q; systemctl reload nginx`
  const { code, stderr } = await subject.server.host.exec(['sh', '-euc', script])
  if (code !== 0) throw new Error(stderr)
}

async function adoptionOf({ api }: World, { server }: Subject) {
  const { items } = await api.must('GET', `/adoptions?server=${server.id}`)
  return api.must('GET', `/adoptions/${items[0].id}`)
}

/** Takes over a website where it lies, and gives it back. */
export const places: Record<string, Kind> = {
  'adoption.take': {
    weight: 1,
    undoable: true,
    waits: true,
    named: siteOf,
    async prepare(world, subject, calls) {
      await putSite(subject)
      await calmly(world, 'adoption.look', subject, calls)
    },
    async ask(world, subject) {
      const [{ id }, userId] = [await adoptionOf(world, subject), await addOwner(world.api)]
      const { items } = await world.api.must('GET', '/system-user/plans')
      const plan = items.find(({ name }: { name: string }) => name === 'Business')?.id
      const what = { account: accountOf(subject), website: siteOf(subject), userId, plan }
      const query = new URLSearchParams({ ...what, userId: `${userId}`, plan: `${plan}` })
      const { facts } = await world.api.must('GET', `/adoptions/${id}/place?${query}`)
      const { seen, root, phpVersion, serves, redirects, application } = facts
      const body = { ...what, seen, root, phpVersion, serves, redirects, application }
      return (await world.api.must('POST', `/adoptions/${id}/places`, body)).workflowId
    },
    async check(world, subject, done) {
      const site = siteOf(subject)
      const { places: all } = await adoptionOf(world, subject)
      const status = all.find(({ domain }: { domain: string }) => domain === site)?.status
      const { body } = await visit(subject.server.host.address, site)
      const is = [status, (await readWebsite(world, site))?.status, body]
      const wanted = done ? ['accepted', 'active', 'a page'] : ['undone', undefined, 'a page']
      return JSON.stringify(is) === JSON.stringify(wanted) ? [] : [`${site}: ${is.join(', ')}`]
    },
  },
}
