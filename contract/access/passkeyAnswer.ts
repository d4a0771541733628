import * as z from 'zod'

/** Bytes in base64url, as browsers answer them. */
export const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/, 'Not base64url')
/** What each answer of a browser holds. Its objects are loose: browsers add fields with each level of WebAuthn. */
export const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).nullish(),
  clientExtensionResults: z.looseObject({}),
}

/** A passkey's answer to a challenge (WebAuthn). */
export const PasskeyAnswer = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(2000),
    userHandle: bytes(200).nullish(),
  }),
})
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>
