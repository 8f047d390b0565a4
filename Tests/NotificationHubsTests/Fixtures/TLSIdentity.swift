/// A self-signed certificate with its key, for test servers only; valid from 2020 to 2120.
struct TLSIdentity: Sendable {
    let certificate: String
    let key: String

    /// For `localhost` and `127.0.0.1`.
    static let loopback = TLSIdentity(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBZjCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
            c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
            CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBREddCYH8hgVvAA
            gg5SD7gW3xq5r7GFFzVdvL7oGxlv//xWALa+iuhYDbZ4JC8e3H/euIaaT7ZdQ3An
            DfumDAKjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
            BTADAQH/MB0GA1UdDgQWBBRaPxqUGyMyjsfu/Y6ECHH+Xr690TAKBggqhkjOPQQD
            AgNHADBEAiAOcnNh9GvWW5GVSHNUwvhDsKuMMIfo0TnKxAQYNEY9sQIgOAtdNxE8
            b7Rw6uRwTcwR5o/X8MTRB0HRFm4pzySrI7o=
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3Udl+wWKM9QxI7vJ
            lyZ+irGFCK2/gi+VGFCBp1hMZYehRANCAAQURHXQmB/IYFbwAIIOUg+4Ft8aua+x
            hRc1Xby+6BsZb//8VgC2voroWA22eCQvHtx/3riGmk+2XUNwJw37pgwC
            -----END PRIVATE KEY-----
            """)

    /// For another host.
    static let otherHost = TLSIdentity(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBbjCCAROgAwIBAgIBAjAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1vdGhlci5p
            bnZhbGlkMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
            VQQDDA1vdGhlci5pbnZhbGlkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfhrJ
            0aaHQ9irIVzttV6cQTXARvwFnv1aWPa7C3X3piWdyEJMwG17fIvOb31PMBgRX7pe
            tTjTwOwylGAtYSP61KNMMEowGAYDVR0RBBEwD4INb3RoZXIuaW52YWxpZDAPBgNV
            HRMBAf8EBTADAQH/MB0GA1UdDgQWBBQAGOAHZ/EYcs+j7OftYUsQF8TNnzAKBggq
            hkjOPQQDAgNJADBGAiEAgEOCpzr+zFRULrAQeihxvwoim30McUojG3ruEi6ZkeIC
            IQDAIbsnU1W5Y4ACzXP01t1kQq1Ntfh35P9nOYLQlK0q2g==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPwczCh0AqT3GAK4g
            luB50ZzqCKHczvFaSrownWHyw/ChRANCAAR+GsnRpodD2KshXO21XpxBNcBG/AWe
            /VpY9rsLdfemJZ3IQkzAbXt8i85vfU8wGBFful61ONPA7DKUYC1hI/rU
            -----END PRIVATE KEY-----
            """)

    /// For `localhost` by its common name alone, which names nothing.
    static let commonNameOnly = TLSIdentity(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBSjCB8aADAgECAgEDMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
            dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
            bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEg9KK9nxgYPdTV5gl
            CxJIu3mY+JSlJSpViqwHT5t4mfb7+WipQ9FS5rLdfMqnGyNu9SKnNnJnjKACosh9
            YSGn4KMyMDAwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQU3qLmtQaZPr6sTSGu
            6tsXUa9f/KAwCgYIKoZIzj0EAwIDSAAwRQIgYbuPCwcfhXxQdDthDSqBFsw+OErF
            mPbvgoIA7OpuDm4CIQCWfJD2hqCU/gG4bIhRD2sgNIThDl7Fk3gvE+rZmPyELg==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgi2TeSA0XE/XTP0eT
            q1fJqQ6E+nywGtFhXv3osFfwNuKhRANCAASD0or2fGBg91NXmCULEki7eZj4lKUl
            KlWKrAdPm3iZ9vv5aKlD0VLmst18yqcbI271Iqc2cmeMoAKiyH1hIafg
            -----END PRIVATE KEY-----
            """)
}
