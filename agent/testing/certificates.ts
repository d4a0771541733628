interface Machine {
  /** Runs there, and answers what it printed. */
  sh(...argv: string[]): Promise<string>
}

/** A certificate for these names and its key, as openssl makes them: what judges in tests is no code of ours. */
export async function made(
  machine: Machine,
  name: string,
  ...names: string[]
): Promise<{ chain: string; privateKey: string }> {
  const alternatives = [name, ...names].map((one) => `DNS:${one}`).join(',')
  const [key, pem] = [`/tmp/${name}.key`, `/tmp/${name}.pem`]
  await machine.sh(
    ...[
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
    ],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternatives}`, '-keyout', key, '-out', pem],
  )
  return { chain: await machine.sh('cat', pem), privateKey: await machine.sh('cat', key) }
}
