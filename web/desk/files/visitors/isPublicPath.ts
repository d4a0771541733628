/** Whether visitors without an account may open the path: they see public files. */
export const isPublicPath = (pathname: string): boolean => /^\/files-manager(\/|$)/.test(pathname)
