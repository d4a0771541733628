export const mtaStsPath = '/.well-known/mta-sts.txt'

/** Other mail servers keep the policy for a day: a mistake must not last. */
export const mtaStsLines = (domain: string): string[] => [
  'version: STSv1',
  'mode: enforce',
  `mx: mail.${domain}`,
  'max_age: 86400',
]

/** Other servers read the policy again when its id changes; count up with each change of the lines above. */
export const POLICY_ID = '20261129'
