import { apache } from '../apache/apache.ts'
import { nginx } from '../nginx/nginx.ts'

export const folder = '/etc/innkeeper/ftp'
/** One line for each login; the source of the database that pure-ftpd reads. */
export const passwd = `${folder}/passwd`
export const userDatabase = `${folder}/users.pdb`
export const ownCertificate = `${folder}/server.pem`
export const ownKey = `${folder}/server.key`
export const transferLog = '/var/log/innkeeper-ftp/transfers.log'
export const sockets = {
  gate: '/run/innkeeper-ftp-gate/socket',
  certificates: '/run/innkeeper-ftp-certificates/socket',
}
export const unit = 'innkeeper-ftp'
export const siteWebServers = [nginx, apache]
