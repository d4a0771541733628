/** Socket on which Dovecot tells whether a mailbox has room; only our program may ask. */
export const quotaSocket = 'innkeeper-quota'

/**
 * Refuses mail for full mailboxes, also if it comes through an alias or a forward: when the recipient is named, if the
 * sender tells the size, else at the end of the message. A message for several recipients passes if one has room.
 */
export const fullText = String.raw`
# where mail for an address ends; one that leaves this server is named as it is
sub endings {
  my ($address, $depth, $seen) = @_;
  return if $seen->{$address}++ || $depth > 10;
  my $plain = $address =~ s/\+[^@]*@/@/r;
  my ($domain) = $plain =~ /(@[^@]+)$/ or return;
  my $catch_all;
  open(my $file, '<', '/etc/postfix/innkeeper/aliases') or return ($plain);
  while (<$file>) {
    $catch_all = $1 if index($_, "$domain ") == 0 && /^\S+ (.*)$/;
    next unless index($_, "$plain ") == 0 && /^\S+ (.*)$/;
    return map { $_ eq $plain ? $_ : endings($_, $depth + 1, $seen) } split /, /, $1;
  }
  return defined $catch_all ? endings($catch_all, $depth + 1, $seen) : ($plain);
}

# why a mailbox takes no message of a size; undef: it does, or is not here
sub why_full {
  my ($address, $size) = @_;
  my $dovecot = IO::Socket::UNIX->new(Peer => '/run/dovecot/${quotaSocket}', Timeout => 5) or return;
  print $dovecot "request=smtpd_access_policy\nprotocol_state=RCPT\nprotocol_name=ESMTP\nrecipient=$address\nsize=$size\n\n";
  my $answer = <$dovecot> // '';
  return $answer =~ /^action=([45]\d\d .*)$/ ? $1 : undef;
}

# why none of the places where mail for an address ends has room
sub full {
  my ($address, $size) = @_;
  my $first;
  for my $end (endings($address, 0, {})) {
    my $why = why_full($end, $size) or return;
    $first //= $why;
  }
  return $first;
}

sub quota {
  my (%asked, @to);
  my $instance = '';
  while (my $line = <STDIN>) {
    chomp $line;
    if ($line =~ /^([^=]+)=(.*)$/) { $asked{$1} = $2; next }
    my ($state, $size, $why) = ($asked{protocol_state} // '', $asked{size} || 0);
    if (($asked{instance} // '') ne $instance) { $instance = $asked{instance} // ''; @to = () }
    if ($state eq 'RCPT') {
      push @to, lc $asked{recipient} if @to < 1000;
      $why = full(lc $asked{recipient}, $size);
    } elsif (@to) {
      my @all = map { scalar full($_, $size) } @to;
      $why = $all[0] if @all && !grep { !defined } @all;
    }
    print 'action=', $why // 'DUNNO', "\n\n";
    %asked = ();
  }
}
`
