/// One kind of registration as a client sends it.
struct RegistrationKindFixture {
    let element: String
    /// The elements that follow the tags.
    let sent: String

    /// Every platform, both native and with a template.
    static let all = [
        native("Apple", "<DeviceToken>ab12</DeviceToken>"),
        template(
            "Apple",
            "<ApnsHeaders><ApnsHeader><Header>apns-push-type</Header><Value>alert</Value>"
                + "</ApnsHeader></ApnsHeaders><Priority>5</Priority><Expiry>$(expiry)</Expiry>"
                + "<DeviceToken>AB12</DeviceToken>"),
        native("FcmV1", "<FcmV1RegistrationId>f</FcmV1RegistrationId>"),
        template("FcmV1", "<FcmV1RegistrationId>f</FcmV1RegistrationId>"),
        native("Gcm", "<GcmRegistrationId>g</GcmRegistrationId>"),
        template("Gcm", "<GcmRegistrationId>g</GcmRegistrationId>"),
        native("Windows", "<ChannelUri>https://w/?a=1&amp;b=2</ChannelUri>"),
        template(
            "Windows",
            "<ChannelUri>https://w/?a=1&amp;b=2</ChannelUri><SecondaryTileName>t"
                + "</SecondaryTileName><WnsHeaders><WnsHeader><Header>X-WNS-Type</Header>"
                + "<Value>wns/toast</Value></WnsHeader></WnsHeaders>"),
        native(
            "Mpns", "<ChannelUri>https://m</ChannelUri><SecondaryTileName>t</SecondaryTileName>"),
        template(
            "Mpns",
            "<ChannelUri>https://m</ChannelUri><MpnsHeaders><MpnsHeader><Header>h</Header>"
                + "<Value/></MpnsHeader></MpnsHeaders>"),
        native("Adm", "<AdmRegistrationId>d</AdmRegistrationId>"),
        template("Adm", "<AdmRegistrationId>d</AdmRegistrationId>"),
        native("Baidu", "<BaiduUserId>u</BaiduUserId><BaiduChannelId>c</BaiduChannelId>"),
        template(
            "Baidu",
            "<BaiduUserId>u</BaiduUserId><BaiduChannelId>c</BaiduChannelId>"
                + "<MessageType>1</MessageType>"),
        native("Browser", "<Endpoint>https://e</Endpoint><P256DH>p</P256DH><Auth>s</Auth>"),
        template("Browser", "<Endpoint>https://e</Endpoint><P256DH>p</P256DH><Auth>s</Auth>"),
        native("Xiaomi", "<XiaomiRegistrationId>x</XiaomiRegistrationId>"),
        template("Xiaomi", "<XiaomiRegistrationId>x</XiaomiRegistrationId>"),
    ]

    private static func native(_ platform: String, _ handle: String) -> RegistrationKindFixture {
        RegistrationKindFixture(element: "\(platform)RegistrationDescription", sent: handle)
    }

    /// A template body with text that CDATA cannot contain.
    private static func template(_ platform: String, _ handle: String) -> RegistrationKindFixture {
        RegistrationKindFixture(
            element: "\(platform)TemplateRegistrationDescription",
            sent: handle + "<BodyTemplate>{\"a\":\"$(b)]]&gt;&amp;\"}</BodyTemplate>"
                + "<TemplateName>n</TemplateName>")
    }
}
