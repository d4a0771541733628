type Call = (method: 'POST' | 'DELETE', path: string, body: unknown) => Promise<{ data: { id: number } }>

/** A mail domain with a mailbox, an alias and an application password; a deleted mailbox, a deleted and a moved mail domain. */
export async function makeMail(call: Call, server: number, work: () => Promise<void>): Promise<number> {
  const domain = (name: string) => call('POST', '/mailbox/mailboxes', { domain: name, serverId: server })
  const { data } = await domain('post.example.org')
  await work()
  const users = `/mailbox/mailboxes/${data.id}/users`
  const kari = await call('POST', users, { localPart: 'kari', name: 'Kari', password: 'a mailbox of the world' })
  await work()
  await call('POST', `/mailbox/users/${kari.data.id}/app-passwords`, { name: 'Laptop' })
  await work()
  await call('POST', `/mailbox/mailboxes/${data.id}/aliases`, {
    localPart: 'info',
    targets: ['kari@post.example.org', 'kari@example.net'],
  })
  await work()
  const former = await call('POST', users, { localPart: 'former' })
  await work()
  await call('DELETE', `/mailbox/users/${former.data.id}`, {})
  await work()
  await call('POST', `/mailbox/mailboxes/${data.id}/keys`, {})
  await work()
  const gone = await domain('gone.example.org')
  await work()
  await call('DELETE', `/mailbox/mailboxes/${gone.data.id}`, {})
  await work()
  const moved = await domain('moved.example.org')
  await work()
  return moved.data.id
}
