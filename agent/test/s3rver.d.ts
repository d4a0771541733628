declare module '@20minutes/s3rver' {
  /** A server that speaks S3, with its objects as files of a folder. Its key and secret are `S3RVER`. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      /** Needed because S3rver signs a bucket's path without the slash that restic sends, and so rejects restic's signature. */
      allowMismatchedSignatures: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
