type Call = (method: 'POST' | 'PATCH', path: string, body: unknown) => Promise<unknown>

/** An FTP user of a website, and with it the FTP service of its server. */
export async function makeFtpUsers(call: Call, websiteId: number, work: () => Promise<void>): Promise<void> {
  await call('POST', '/ftp/ftp-users', { websiteId, name: 'agency' })
  await work()
}
