import type { Contract } from '@innkeeper/contract/kit/endpoint'

const html = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
const accessText = (access: unknown) =>
  access === 'public' ? 'nothing' : access === 'signedIn' ? 'a session' : [access].flat().join(' and ')

/** The readable page of the API. It has no scripts, so that the strict content policy applies. */
export function docsPage(contract: Record<string, Contract>): string {
  const sections = Object.entries(contract).map(([domain, calls]) => {
    const rows = Object.values(calls).map(({ method, path, access, spec, schemas }) => {
      const fields = [schemas.params, schemas.query, schemas.body, schemas.form].flatMap((s) =>
        Object.keys(s?.shape ?? {}),
      )
      return `<tr><td><code>${method}</code><td><code>/api${html(path)}</code><td>${html(spec.summary)}<td><code>${fields.map(html).join(' ')}</code><td>${html(accessText(access))}`
    })
    return `<h2 id="${domain}">${domain}</h2><table><tr><th>Call<th>Path<th>What it does<th>Takes<th>Needs</tr>${rows.join('')}</table>`
  })
  const index = Object.keys(contract).map((domain) => `<a href="#${domain}">${domain}</a>`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Innkeeper API</title><style>
:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1200px;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #8884;vertical-align:top}
code{font:12.5px ui-monospace,monospace}nav{display:flex;gap:1rem;flex-wrap:wrap}</style>
<h1>Innkeeper API</h1><p>Send an API token (<code>ink_…</code>), or the token of <code>POST /api/auth/token</code>, as
<code>Authorization: Bearer …</code>. The file docs/api.md explains errors, paging, idempotency, limits and webhooks.
Machines read <a href="/api/openapi.json">/api/openapi.json</a>.</p><nav>${index.join('')}</nav>${sections.join('')}</html>`
}
