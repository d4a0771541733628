interface Machine {
  /** Runs a program on the machine and answers its output. */
  sh(...argv: string[]): Promise<string>
}

/** Makes a certificate and key with openssl, so that tests do not rely on Innkeeper's own code. */
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
