import CampaignCore
import Files

/// A systemd service and timer for `hubsend run --due` (systemd.service(5), systemd.timer(5)).
struct SystemdUnits: Sendable {
    let call: DueCall

    /// The text of both units, each after a line with the path of its file.
    var text: String {
        var head = call.overview
        if call.only == nil {
            head.append(
                "Campaigns are sent one after another. To give a long-running campaign its own units, name only its file."
            )
        }
        head.append(
            "Save the two parts as two files, then run: systemctl daemon-reload && systemctl enable --now \(name).timer"
        )
        return (head.map { "# " + $0 } + [""] + service + [""] + timer).map { $0 + "\n" }.joined()
    }

    private var name: String { call.only.map { "hubsend-due-" + $0 } ?? "hubsend-due" }

    private var service: [String] {
        [
            "# /etc/systemd/system/\(name).service",
            "[Unit]",
            "Description="
                + (call.only.map { "Send the campaign \($0) when it is due" }
                    ?? "Send the campaigns that are due"),
            "Documentation=man:hubsend-cron(7)",
            "Wants=network-online.target",
            "After=network-online.target",
            "# systemd does not send mail. To be notified of failures, name a unit that notifies you:",
            "# OnFailure=notify-on-call@%n.service",
            "",
            "[Service]",
            "Type=exec",
            "User=\(Self.escaped(call.user))",
            // The hyphen makes systemd ignore a missing folder, because hubsend reports it.
            "WorkingDirectory=-\(Self.escaped(call.folder))",
        ] + environment + [
            "ExecStart=\(call.words.map(Self.word).joined(separator: " "))",
            "# systemd stops it with SIGTERM; everything is saved.",
            "SuccessExitStatus=143",
            "# Log problems, but not the start every minute.",
            "SyslogLevel=warning",
            "LogLevelMax=notice",
            "",
        ] + sandboxing
    }

    private var environment: [String] {
        call.variables.flatMap { variable in
            (variable.preparation(for: call.user).map { ["# " + $0] } ?? [])
                + ["Environment=\(Self.quoted("\(variable.name)=\(variable.value)"))"]
        } + [
            "# More variables, one per line; they override the ones above.",
            "EnvironmentFile=-/etc/hubsend/environment",
            "# Silences a harmless message from the Swift runtime about thread priorities.",
            "Environment=LIBDISPATCH_LOG=NO",
        ]
    }

    private var timer: [String] {
        [
            "# /etc/systemd/system/\(name).timer",
            "[Unit]",
            "Description=Start \(name).service every minute",
            "Documentation=man:hubsend-cron(7)",
            "",
            "[Timer]",
            "OnCalendar=minutely",
            "AccuracySec=1s",
            "# hubsend itself catches up on starts missed while the machine was off, within `start_deadline`.",
            "Persistent=no",
            "",
            "[Install]",
            "WantedBy=timers.target",
        ]
    }

    /// Settings that restrict the service to the access that it needs.
    private var sandboxing: [String] {
        var sandboxing = ["UMask=0077"]
        if !call.written.haveAny(below: ["/boot", "/efi", "/etc", "/usr"]) {
            sandboxing.append("ProtectSystem=full")
        }
        if !call.places.haveAny(below: ["/tmp", "/var/tmp"]) {
            sandboxing.append("PrivateTmp=yes")
        }
        guard !call.runsCommands else {
            return sandboxing + [
                "# A command provides a secret and may need more access than hubsend, so the service is not sandboxed any further."
            ]
        }
        if !call.places.haveAny(below: ["/home", "/root", "/run/user"]) {
            sandboxing.append("ProtectHome=yes")
        }
        // Without capabilities, root cannot read files of other users.
        if call.user != "root" { sandboxing.append("CapabilityBoundingSet=") }
        return sandboxing + [
            "LockPersonality=yes",
            "MemoryDenyWriteExecute=yes",
            "NoNewPrivileges=yes",
            "PrivateDevices=yes",
            "ProcSubset=pid",
            "ProtectClock=yes",
            "ProtectControlGroups=yes",
            "ProtectHostname=yes",
            "ProtectKernelLogs=yes",
            "ProtectKernelModules=yes",
            "ProtectKernelTunables=yes",
            "ProtectProc=invisible",
            "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
            "RestrictNamespaces=yes",
            "RestrictRealtime=yes",
            "RestrictSUIDSGID=yes",
            "SystemCallArchitectures=native",
            "SystemCallErrorNumber=EPERM",
            "SystemCallFilter=@system-service",
        ]
    }

    /// Escapes a word of a command, in which `$` would begin a variable.
    private static func word(_ text: String) -> String {
        quoted(text).replacingBytes("$", with: "$$")
    }

    /// Returns the text, in quotation marks if it needs them (systemd.syntax(7)).
    private static func quoted(_ text: String) -> String {
        guard ShellWord.quoted(text) != text else { return text }
        let inner = text.replacingBytes("\\", with: "\\\\").replacingBytes("\"", with: "\\\"")
        return "\"" + escaped(inner) + "\""
    }

    /// Doubles each `%`, because a single `%` begins a specifier.
    private static func escaped(_ text: String) -> String { text.replacingBytes("%", with: "%%") }
}

extension [String] {
    fileprivate func haveAny(below folders: [String]) -> Bool {
        contains { path in
            folders.contains { path == $0 || Path.relative(path, to: $0) != nil }
        }
    }
}
