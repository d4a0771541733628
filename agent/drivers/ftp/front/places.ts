/** Ports, addresses and the file that the front shares with the drivers of FTP. */

export const frontPort = 990
/** Ports of pure-ftpd for data connections, and those of the front. */
export const passivePorts = { ftp: [40110, 40999], front: [41000, 41999] } as const
/** The front connects to pure-ftpd from an address of this network for each client. */
export const loopbacks = '127.64.0.0/10'
/**
 * One line for each client that has signed in: `127.70.1.9 203.0.113.7 1764000000`, with the UNIX time at which the front
 * saw the client.
 */
export const clientsFile = '/var/lib/innkeeper-ftps/clients'
/** Whether an address of pure-ftpd's logs is one that the front uses for a client. */
export const isOfFront = (address: string): boolean => /^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(address)
