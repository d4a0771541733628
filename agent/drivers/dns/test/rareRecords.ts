import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { fullName } from '@innkeeper/contract/net/dns/names'
import { wireContent } from '@innkeeper/contract/net/dns/records'
import { parseZoneFile } from '@innkeeper/contract/net/dns/zoneFile'

/** Records that few zones have, as other name servers write them. */
const file = `
h HTTPS 1 . alpn="h3,h2" port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1
alias HTTPS 0 www.other.net.
m SVCB 1 svc.example. mandatory=alpn alpn=h2 no-default-alpn ech=AEP+DQA=
p SVCB 16 foo.example.org. key667="hello\\210qoo"
h2 HTTPS 1 . mandatory=port,alpn alpn=h2 port=0443 ipv6hint=2001:DB8:0:0::0001 dohpath=/q{?dns} ohttp key9
l0 LOC 0 0 0 N 0 0 0 E 0m 15m 40000000m
te TXT ""
n NAPTR 100 10 "S" "SIP+D2U" "" _sip._udp
n NAPTR 100 20 "u" "E2U+sip" "!^.*$!sip:info@example.org!" .
u URI 10 1 "ftp://ftp1.example.com/public?a=1;b"
d DNAME other.net.
l LOC 51 30 12.748 N 0 7 39.611 W 0m 1m 10000m 10m
l2 LOC 32 7 19 S 116 2 25 E 10m
afs AFSDB 1 afs.example.
kx KX 10 kx.example.
rp RP john\\.doe.example.org. .
hi HINFO "PC-Intel 700" Linux
ce CERT 1 12345 8 AQIDBAUG
_x._smimecert SMIMEA 3 0 0 0a0b0c
_y._openpgpkey OPENPGPKEY AQIDBA==
dh DHCID AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=
e48 EUI48 00-00-5e-00-53-2a
e64 EUI64 00-00-5e-ef-10-00-00-2a
l32 L32 10 10.1.2.0
l64 L64 10 2001:0db8:1140:1000
nid NID 10 0014:4fff:ff20:ee64
lp LP 10 l64.example.
mi MINFO a.example. b.example.
mb MB mail
mg MG john\\.doe.example.
mr MR madname.example.
ip IPSECKEY 10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
ip IPSECKEY 10 0 2 . AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
ip IPSECKEY 10 2 2 2001:DB8::10 AQNRU3mG 7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
ip IPSECKEY 10 3 2 gateway AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
apl APL 1:192.168.32.0/21 !1:192.168.38.0/28 2:FF00::/8
cs CSYNC 66 3 AAAA a NS
spf SPF "v=spf1 -all"
t TYPE65280 \\# 4 0a000001
t0 TYPE65281 \\# 0
num TYPE1 \\# 4 c0000201
0/25 NS ns.other.net.
1 CNAME 1.0/25
-dash- A 192.0.2.7
zero 0 A 192.0.2.8
$GENERATE 1-3 g\${0,2,d} A 192.0.2.$
caa CAA 128 tbs "Unknown"
`

/** The same as record sets, read as an import reads them. Throws if a line is lost. */
export function rareSets(domain: string): OperationInput<'dns-zone.ensure'>['sets'] {
  const { entries, skipped } = parseZoneFile(file, domain)
  if (skipped.length) throw new Error(JSON.stringify(skipped, null, 1))
  const bySet = Map.groupBy(entries, ({ name, type }) => `${name} ${type}`)
  return [...bySet.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const { name, type, ttl } = first
    return { owner: fullName(name, domain), recordType: type, ttl, contents: all.map(wireContent) }
  })
}
