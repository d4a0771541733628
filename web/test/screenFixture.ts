/** Values for the parameters of a path: `/dns/zone/$id` takes `{ id }`. */
type PathValues = Record<string, string | number>

/** The fields of an answer that fixtures read. A call answers some of them. */
interface Made {
  id: number
  name: string
  workflowId: number
  data: { id: number }
}

/** The initial content of the practice servers, and the means to add to it as an administrator. */
interface Ground {
  /** Makes a call of the API, which has to succeed. A Blob is sent as bytes. */
  post(path: string, body?: unknown): Promise<Made>
  /** The id of the first row of a list, as soon as it has one. */
  firstOf(path: string): Promise<number>
  /** Returns when the workflow is done. */
  done(workflowId: number): Promise<void>
  /** Returns the id of a new website, which is active. */
  addWebsite(domain: string): Promise<number>
  /** A web server with `website`, and another one without websites. */
  server: number
  otherServer: number
  mailServer: number
  /** The active website `shown.example` and its account. */
  website: number
  systemUser: number
}

/**
 * `web/<domain>/fixture.ts` exports one as `fixture`: it adds what the domain's screens show, and returns the values of each of
 * their paths that has parameters. The browser test of all screens finds the file by its name.
 */
export type ScreenFixture = (ground: Ground) => Promise<Record<string, PathValues>>
