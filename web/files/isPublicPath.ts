/** Screens that visitors open without an account: they see the public files. */
export const isPublicPath = (pathname: string): boolean => /^\/files-manager(\/|$)/.test(pathname)
