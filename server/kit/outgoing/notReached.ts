/**
 * A host that somebody named did not answer as it should. All reasons look alike to people, because different words for
 * a closed port, a silent one and a refused address would show them the network of Innkeeper. The cause is for the log.
 */
export class NotReached extends Error {
  /** Whether the request may have been received. */
  readonly sent: boolean
  /** Whether the time for an answer ran out. */
  readonly isLate: boolean

  constructor(cause: unknown, { sent = false } = {}) {
    super('no usable answer from this address', { cause })
    this.sent = sent
    this.isLate = isTimeout(cause) || (cause instanceof Error && isTimeout(cause.cause))
  }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'
