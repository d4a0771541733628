import { operations } from '@innkeeper/contract/agent'
import { action } from '../kit/work/action.ts'

export const ftpEnsure = action('ftp.ensure', operations['ftp.ensure'], {
  title: 'FTP',
  what: ({ plain, before }) =>
    before
      ? 'the service of the package does not start'
      : plain
        ? 'pure-ftpd with and without TLS'
        : 'pure-ftpd with TLS only',
})
export const ftpUserEnsure = action('ftp-user.ensure', operations['ftp-user.ensure'], {
  title: 'FTP user',
  what: ({ name, site, folder, state }) =>
    state === 'active' ? `${name} in ${folder ? `${site}/${folder}` : site}` : `${name} is ${state}`,
})
export const ftpUserRemove = action('ftp-user.remove', operations['ftp-user.remove'], {
  title: 'FTP user',
  what: ({ name }) => `${name}; its files stay`,
})
