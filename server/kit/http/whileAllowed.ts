/** Interval in milliseconds at which the rights of a running transfer are checked. */
const CHECK_MS = 1_000

/** Throws a refusal once the caller may not make the call any more. */
export type StillMay = () => Promise<void>

/** Passes bytes on until `stillMay` throws. */
export async function* whileAllowed<T>(bytes: AsyncIterable<T>, stillMay?: StillMay): AsyncGenerator<T> {
  let checked = performance.now()
  for await (const chunk of bytes) {
    if (stillMay && performance.now() - checked > CHECK_MS) {
      await stillMay()
      checked = performance.now()
    }
    yield chunk
  }
}
