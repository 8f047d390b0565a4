import YAMLSyntax

/// The key `schedule`, whose shape is checked though nothing acts on it yet.
extension CampaignDecoder {
    mutating func schedule(_ reader: MappingReader) {
        defer { notYetSupported("schedule", of: reader) }
        guard
            let schedule = reader.mapping(
                "schedule", known: CampaignKeys.schedule, findings: &findings)
        else { return }
        findings.require(["time_zone"], of: schedule, root: schedule.keyRange)
        if !schedule.has("cron"), !schedule.has("at") {
            findings.error(
                .missingKey, at: schedule.keyRange, "The schedule has neither \"cron\" nor \"at\".")
        } else if schedule.has("cron"), schedule.has("at") {
            findings.error(
                .conflictingKeys, at: schedule.range(ofKey: "at"),
                "The schedule has both \"cron\" and \"at\".", help: "Keep one of them.",
                related: ("The first is here.", schedule.range(ofKey: "cron")))
        }
        checkCron(schedule)
        checkText("at", of: schedule, form: "2026-12-01T09:00", isGood: TimeText.isLocalTime)
        checkText("time_zone", of: schedule, form: "Europe/Berlin", isGood: TimeText.isZoneName)
        _ = findings.duration("start_deadline", of: schedule)
        guard
            let quiet = schedule.mapping(
                "quiet_hours", known: CampaignKeys.quietHours, findings: &findings)
        else { return }
        findings.require(["from", "to"], of: quiet, root: quiet.keyRange)
        checkText("from", of: quiet, form: "21:00", isGood: TimeText.isTimeOfDay)
        checkText("to", of: quiet, form: "08:00", isGood: TimeText.isTimeOfDay)
        _ = findings.text("time_zone_column", of: quiet)
    }

    private mutating func checkCron(_ schedule: MappingReader) {
        guard let cron = findings.text("cron", of: schedule) else { return }
        let texts = cron.value.text.split(separator: " ")
        guard texts.count == CronText.fields.count else {
            findings.error(
                .invalidTime, at: cron.range, "\"schedule.cron\" does not have five fields.",
                help: "Write minute, hour, day, month and weekday, such as \"0 9 * * mon\".")
            return
        }
        for (field, text) in zip(CronText.fields, texts) where !field.isGood(text) {
            findings.error(
                .invalidTime, at: cron.range,
                "\"\(String(text).shortened)\" is no \(field.name) of \"schedule.cron\".",
                help:
                    "Write * or a number from \(field.bounds.lowerBound) to \(field.bounds.upperBound); 1-5, 1,3 and */2 also work."
            )
        }
    }

    private mutating func checkText(
        _ key: String, of reader: MappingReader, form: String, isGood: (String) -> Bool
    ) {
        guard let text = findings.text(key, of: reader), !isGood(text.value.text) else { return }
        findings.error(
            .invalidTime, at: text.range, "\"\(reader.name(of: key))\" is not understood.",
            help: "Write it in the form \(form).")
    }
}
