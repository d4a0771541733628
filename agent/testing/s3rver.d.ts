declare module '@20minutes/s3rver' {
  /** A server that speaks S3, with its objects as files of a folder. Its key and secret are `S3RVER`. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      /** It signs the path of a bucket without the slash that restic sends, and calls the signature wrong. */
      allowMismatchedSignatures: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
