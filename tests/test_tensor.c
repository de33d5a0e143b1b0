// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "core/ops.h"
#include "support.h"

Suite *tensor_suite(void);

static es_backend *open_device(int i)
{
    es_error err = ES_ERROR_NONE;
    es_backend *be = es_backend_open(es_backend_at(i)->device, 2, &err);
    ck_assert_works(be != NULL, err);
    return be;
}

static void close_device(es_backend *be)
{
    ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
}

static void count_up(es_tensor *t, es_backend *be, const es_shape *shape)
{
    int64_t n = es_shape_count(shape);
    float *values = malloc((size_t)n * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        values[i] = (float)i;
    ck_assert(es_tensor_new(t, be, ES_FLOAT32, shape, NULL));
    ck_assert(es_tensor_write(t, values, NULL));
    free(values);
}

START_TEST(shapes_print_as_they_are_named)
{
    es_str s = {0};
    es_shape shape = es_shape_3d("B", 2, "", 1, "2C", 128);
    es_shape_show(&s, &shape);
    ck_assert_str_eq(s.s, "[B=2, 1, 2C=128]");
    es_str_free(&s);
    ck_assert_int_eq(es_shape_count(&shape), 256);
    es_shape empty = es_shape_2d("T", 0, "C", INT64_MAX), huge = es_shape_2d("", INT64_MAX, "", 3);
    ck_assert_int_eq(es_shape_count(&empty), 0);
    ck_assert_int_eq(es_shape_count(&huge), INT64_MAX);
    es_label lost = es_label_named("a name that is much too long to keep"), t = es_label_named("T");
    ck_assert_str_eq(lost.s, "?");
    ck_assert(!es_label_same(&lost, &lost));
    ck_assert(es_label_same(&t, &t));
}
END_TEST

START_TEST(views_share_memory_and_count_references)
{
    es_backend *be = open_device(_i);
    es_error err = ES_ERROR_NONE;
    es_shape shape = es_shape_2d("T", 3, "C", 4);
    es_tensor t, row, turned;
    count_up(&t, be, &shape);
    ck_assert_works(es_tensor_slice(&row, &t, 0, 1, 2, &err), err);
    ck_assert_works(es_tensor_transpose(&turned, &t, 0, 1, &err), err);
    es_tensor_free(&t); /* the views keep the memory */

    float values[12];
    ck_assert(es_tensor_read(&row, values, NULL));
    ck_assert_float_eq(values[0], 4);
    ck_assert(es_tensor_read(&turned, values, NULL));
    static const float want[] = {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11};
    ck_assert_mem_eq(values, want, sizeof want);
    ck_assert_str_eq(turned.shape.label[0].s, "C");

    const float nines[] = {9, 9, 9, 9};
    ck_assert(es_tensor_write(&row, nines, NULL)); /* seen through the other view */
    ck_assert(es_tensor_read(&turned, values, NULL));
    ck_assert_float_eq(values[1], 9);
    es_tensor_free(&row);
    es_tensor_free(&turned);
    es_tensor_free(&turned);
    close_device(be);
}
END_TEST

START_TEST(expand_stretches_ones_and_says_what_does_not)
{
    es_backend *be = open_device(0);
    es_error err = ES_ERROR_NONE;
    es_shape small = es_shape_2d("T", 3, "", 1), big = es_shape_3d("B", 2, "T", 3, "C", 2);
    es_shape wrong = es_shape_2d("T", 4, "C", 2), thin = es_shape_1d("C", 2);
    es_tensor t, wide;
    count_up(&t, be, &small);
    ck_assert_works(es_tensor_expand(&wide, &t, &big, &err), err);
    float values[12];
    static const float want[] = {0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2};
    ck_assert(es_tensor_read(&wide, values, NULL));
    ck_assert_mem_eq(values, want, sizeof want);
    es_tensor_free(&wide);
    ck_assert_fails(es_tensor_expand(&wide, &t, &wrong, &err), err, ES_ERR_EXPAND,
                    "[T=3, 1] does not stretch to [T=4, C=2]: axis -2 is neither 1 nor 4");
    ck_assert_fails(es_tensor_expand(&wide, &t, &thin, &err), err, ES_ERR_EXPAND,
                    "[T=3, 1] has more axes than [C=2]");
    es_tensor_free(&t);
    close_device(be);
}
END_TEST

START_TEST(unsqueeze_slice_and_transpose_check_their_axes)
{
    es_backend *be = open_device(0);
    es_error err = ES_ERROR_NONE;
    es_shape shape = es_shape_2d("T", 3, "C", 4);
    es_tensor t, v;
    count_up(&t, be, &shape);
    ck_assert_works(es_tensor_unsqueeze(&v, &t, 1, &err), err);
    ck_assert_int_eq(v.shape.ndim, 3);
    ck_assert_int_eq(v.shape.dim[1], 1);
    ck_assert_str_eq(v.shape.label[2].s, "C");
    es_tensor_free(&v);
    ck_assert(!es_tensor_unsqueeze(&v, &t, 4, &err));
    ck_assert_str_eq(err.torch,
                     "Dimension out of range (expected to be in range of [-3, 2], but got 4)");
    es_error_free(&err);
    ck_assert_fails(es_tensor_transpose(&v, &t, 0, 2, &err), err, ES_ERR_DIM_RANGE,
                    "there is no axis 2 in a tensor of rank 2");
    ck_assert_fails(es_tensor_slice(&v, &t, 0, 2, 4, &err), err, ES_ERR_SLICE,
                    "[2:4] does not lie within an axis of size 3");
    es_tensor_free(&t);
    close_device(be);
}
END_TEST

START_TEST(other_types_live_in_host_memory_with_a_device_label)
{
    es_backend *be = open_device(1);
    es_shape shape = es_shape_2d("B", 2, "T", 3);
    for (int dtype = 0; dtype < ES_N_DTYPES; dtype++) {
        es_tensor t, turned;
        char in[48], out[48] = {0};
        size_t size = es_dtype_size((es_dtype)dtype);
        for (size_t i = 0; i < sizeof in; i++)
            in[i] = (char)i;
        ck_assert(es_tensor_new(&t, be, (es_dtype)dtype, &shape, NULL));
        ck_assert_ptr_eq(t.buf->be, be);
        ck_assert_int_eq(t.buf->host, dtype != ES_FLOAT32);
        ck_assert(es_tensor_write(&t, in, NULL));
        ck_assert(es_tensor_transpose(&turned, &t, 0, 1, NULL));
        ck_assert(es_tensor_read(&turned, out, NULL));
        ck_assert_mem_eq(out + size, in + 3 * size, size); /* [0, 1] was [1, 0] */
        es_tensor_free(&turned);
        es_tensor_free(&t);
    }
    ck_assert_str_eq(es_dtype_name(ES_BOOL), "bool");
    close_device(be);
}
END_TEST

START_TEST(a_tensor_too_large_for_any_memory_is_refused)
{
    es_backend *be = open_device(0);
    es_error err = ES_ERROR_NONE;
    es_shape shape = es_shape_2d("V", 1LL << 40, "C", 1LL << 40);
    es_tensor t;
    ck_assert_fails(
        es_tensor_new(&t, be, ES_FLOAT32, &shape, &err), err, ES_ERR_NOMEM,
        "a tensor [V=1099511627776, C=1099511627776] of float32 is larger than any memory");
    shape = es_shape_1d("V", 1LL << 50);
    ck_assert(!es_tensor_new(&t, be, ES_FLOAT32, &shape, &err));
    ck_assert_int_eq(err.code, ES_ERR_NOMEM);
    es_error_free(&err);
    close_device(be);
}
END_TEST

START_TEST(unknown_devices_say_what_there_is)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_fails(es_backend_open("tpu", 0, &err), err, ES_ERR_VALUE,
                    "there is no device \"tpu\"");
    setenv("EMBEDSCOPE_OPENCL", "none", 1);
    ck_assert(!es_backend_open("gpu:1", 0, &err));
    ck_assert_int_eq(err.code, ES_ERR_BACKEND);
    ck_assert_ptr_nonnull(strstr(err.hint, "sim is the cpu's memory under another name: mixing the "
                                           "two fails as it would with a GPU"));
    es_error_free(&err);
}
END_TEST

/* ---- what ops check before a backend hears of it ---- */

START_TEST(operations_name_what_does_not_fit)
{
    es_backend *be = open_device(0), *other = open_device(1);
    es_error err = ES_ERROR_NONE;
    es_shape tc = es_shape_2d("T", 5, "C", 8), four = es_shape_2d("T", 4, "C", 8);
    es_tensor a, b, c, out, ints;
    count_up(&a, be, &tc);
    count_up(&b, be, &four);
    count_up(&c, other, &tc);
    ck_assert(es_tensor_new(&out, be, ES_FLOAT32, &tc, NULL));
    ck_assert(es_tensor_new(&ints, be, ES_INT64, &tc, NULL));

    ck_assert(!es_add(&out, &a, &b, &err));
    ck_assert_str_eq(err.message,
                     "the shapes do not stretch to one: [T=5, C=8] against [T=4, C=8]");
    ck_assert_str_eq(err.torch, "The size of tensor a (5) must match the size of tensor b (4) at "
                                "non-singleton dimension 0");
    es_error_free(&err);
    ck_assert_fails(es_add(&out, &a, &c, &err), err, ES_ERR_DEVICE,
                    "one tensor is on cpu, the other on sim");
    ck_assert_fails(es_add(&out, &a, &ints, &err), err, ES_ERR_DTYPE,
                    "float32 is needed here, this is int64");
    ck_assert_fails(es_matmul(&out, &a, &b, &err), err, ES_ERR_MATMUL,
                    "inner axes differ: [T=5, C=8] against [T=4, C=8]");
    ck_assert_fails(es_add(&b, &a, &a, &err), err, ES_ERR_VIEW,
                    "the output has another shape: [T=4, C=8] against [T=5, C=8]");
    ck_assert_fails(es_reduce(ES_REDUCE_SUM, &out, &a, 2, &err), err, ES_ERR_DIM_RANGE,
                    "there is no axis 2 in a tensor of rank 2");
    int64_t index[5];
    es_shape nine = es_shape_2d("T", 5, "", 9);
    es_tensor values;
    ck_assert(es_tensor_new(&values, be, ES_FLOAT32, &nine, NULL));
    ck_assert_fails(es_topk(&values, index, &a, &err), err, ES_ERR_RANGE,
                    "the 9 largest of 8 numbers");
    es_tensor *all[] = {&a, &b, &c, &out, &ints, &values};
    for (int i = 0; i < 6; i++)
        es_tensor_free(all[i]);
    close_device(be);
    close_device(other);
}
END_TEST

START_TEST(a_bad_id_names_itself_and_its_place)
{
    es_backend *be = open_device(_i);
    es_error err = ES_ERROR_NONE;
    es_shape vc = es_shape_2d("V", 7, "C", 2), btc = es_shape_3d("B", 2, "T", 3, "C", 2);
    es_tensor table, out, rows;
    count_up(&table, be, &vc);
    count_up(&out, be, &btc);
    const int32_t ids[] = {0, 6, 3, 3, 7, 2}, negative[] = {0, 1, -1};
    ck_assert(!es_gather(&out, &table, ids, NULL, &err));
    ck_assert_str_eq(err.torch, "index out of range in self");
    ck_assert_str_eq(err.hint, "the largest legal id is 6");
    ck_assert_fails(es_gather(&out, &table, ids, NULL, &err), err, ES_ERR_INDEX_RANGE,
                    "id 7 at [1, 1] is outside the table (7 rows: 0..6)");
    float values[12];
    ck_assert(es_tensor_read(&out, values, NULL));
    ck_assert_float_eq(values[5], 5); /* nothing was written */
    es_shape nc = es_shape_2d("N", 3, "C", 2);
    count_up(&rows, be, &nc);
    ck_assert_fails(es_scatter_add(&table, negative, &rows, &err), err, ES_ERR_INDEX_RANGE,
                    "id -1 at [0, 2] is outside the table (7 rows: 0..6)");
    es_tensor_free(&rows);
    es_tensor_free(&table);
    es_tensor_free(&out);
    close_device(be);
}
END_TEST

START_TEST(broadcasting_keeps_the_labels_it_is_told)
{
    es_error err = ES_ERROR_NONE;
    es_shape out, x = es_shape_3d("B", 2, "T", 5, "", 8), y = es_shape_2d("", 1, "C", 8);
    es_str s = {0};
    ck_assert(es_broadcast_shape(&out, &x, &y, &err));
    es_shape_show(&s, &out);
    ck_assert_str_eq(s.s, "[B=2, T=5, C=8]");
    es_str_free(&s);
    ck_assert(es_broadcast_shape(&out, &y, &x, &err));
    es_shape_show(&s, &out);
    ck_assert_str_eq(s.s, "[B=2, T=5, C=8]");
    es_str_free(&s);
    es_shape p = es_shape_1d("T", 8); /* equal by luck: the left one's name */
    es_shape q = es_shape_1d("C", 8);
    ck_assert(es_broadcast_shape(&out, &p, &q, &err));
    ck_assert_str_eq(out.label[0].s, "T");
    es_shape empty = es_shape_2d("T", 0, "C", 8);
    ck_assert(es_broadcast_shape(&out, &empty, &y, &err));
    ck_assert_int_eq(out.dim[0], 0);
}
END_TEST

Suite *tensor_suite(void)
{
    Suite *s = suite_create("tensor");
    TCase *tc = tcase_create("tensor");
    tcase_add_test(tc, shapes_print_as_they_are_named);
    tcase_add_loop_test(tc, views_share_memory_and_count_references, 0, 2);
    tcase_add_test(tc, expand_stretches_ones_and_says_what_does_not);
    tcase_add_test(tc, unsqueeze_slice_and_transpose_check_their_axes);
    tcase_add_test(tc, other_types_live_in_host_memory_with_a_device_label);
    tcase_add_test(tc, a_tensor_too_large_for_any_memory_is_refused);
    tcase_add_test(tc, unknown_devices_say_what_there_is);
    tcase_add_test(tc, operations_name_what_does_not_fit);
    tcase_add_loop_test(tc, a_bad_id_names_itself_and_its_place, 0, 2);
    tcase_add_test(tc, broadcasting_keeps_the_labels_it_is_told);
    suite_add_tcase(s, tc);
    return s;
}
